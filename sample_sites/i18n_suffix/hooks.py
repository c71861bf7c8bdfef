"""Lets static-i18n and Material's blog live in one site: the blog's posts would otherwise not be built at all."""

from mkdocs.plugins import CombinedEvent, event_priority

_apart = []


@event_priority(-60)  # after the blog (-50) has made its pages, and before static-i18n (-100) makes them anew
def _take_out(files, **_):
    _apart[:] = [file for file in files if file.is_documentation_page() and file.src_uri.startswith("blog/")]
    for file in _apart:
        files.remove(file)
    return files


@event_priority(-110)
def _put_back(files, **_):
    for file in _apart:
        files.append(file)
    return files


on_files = CombinedEvent(_take_out, _put_back)
