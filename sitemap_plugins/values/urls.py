"""URLs as values: written in one way (RFC 3986), compared as pages, and checked to be below the site's base."""

from __future__ import annotations

import os
import posixpath
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit, urlunsplit

from sitemap_plugins.values.text import CONTROL

LOC_LENGTH: Final = 2047
"""The longest ``loc``, in characters after encoding (sitemaps.org: "less than 2,048 characters")."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
# Most URLs of documentation are plain and already in their normal form. Servers on this machine have a port.
_ENCODED = re.compile(
    r"https?://[a-z0-9.-]*[a-z0-9](?::(?!(?:80|443)/)[1-9][0-9]{0,3})?(?:/(?!\.\.?(?:/|\Z))[A-Za-z0-9._~-]*+)++"
)
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_LABEL = 63  # characters (RFC 1035 section 2.3.4)
# RFC 6761, RFC 1918, RFC 3927, RFC 4193 and RFC 4291: other networks cannot reach these. Host names are not checked.
_NUMERIC = re.compile(r"[0-9.]+|.*:.*")
_LOCAL_HOST = (
    r"(?:127|10)(?:\.\d+){3}|0\.0\.0\.0|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}"
    r"|169\.254(?:\.\d+){2}|::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*"
)
# Parameters that identify visitors, not pages.
_TRACKING = (
    r"(?i)[?&;](utm_[a-z]+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|_ga|(?:php|j|asp\.net_)?session_?id|phpsessid)="
)
# On another system, these would lead elsewhere: a folder, a drive, a stream, the end of the name.
_FOREIGN = frozenset("\\:\0")
_BREAKS = frozenset("\t\n\r")
# RFC 3986: pchar and "/" for the path, and also "?" for the query. The percent sign stays, because it is checked first.
_PATH_SAFE = "/%:@!$&'()*+,;=~"
_QUERY_SAFE = _PATH_SAFE + "?"


class InvalidURLError(ValueError):
    """A URL cannot be published; the message completes the sentence "it …"."""


def encode_url(url: str) -> str:
    """The URI for a URL or IRI in its normal form (RFC 3986, section 6.2). Encoding it again changes nothing.

    The host is in lower case and punycode, without the default port. The path has no dot segments, and is UTF-8 without
    needless escapes. There is no fragment. A stray ``%`` becomes ``%25`` (RFC 3987, section 3.1).
    Raises `InvalidURLError` for a control character, a scheme other than http(s), a missing or invalid host, and for a
    URL that is too long, before anything else is computed.
    """
    if len(url) > LOC_LENGTH:
        raise InvalidURLError(f"is {len(url)} characters long; at most {LOC_LENGTH} are allowed")
    if _ENCODED.fullmatch(url):
        return url
    if CONTROL.search(url) or not _BREAKS.isdisjoint(url):
        raise InvalidURLError("has a control character in it")
    parts = _split(url)
    return urlunsplit(
        (
            parts.scheme.lower(),
            _encode_netloc(parts),
            _without_dots(_encode_part(parts.path, _PATH_SAFE)),
            _encode_part(parts.query, _QUERY_SAFE),
            "",
        )
    )


def usable_url(url: str) -> str | None:
    """The URL as by `encode_url`; None if it cannot be published."""
    try:
        return encode_url(url)
    except InvalidURLError:
        return None


def normalize_url(url: str) -> str:
    """The URL as by `encode_url`, so that URLs can be compared. One that cannot be published stays, see `cut_url`."""
    return usable_url(url) or cut_url(url)


def is_plain(url: str) -> bool:
    """Whether a URL is absolute, in its normal form, and nothing but a scheme, a host, perhaps a port, and a path."""
    return _ENCODED.fullmatch(url) is not None


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        why = "" if "@" in url else f" ({error})"  # it may quote a password
        raise InvalidURLError(f"is not a URL{why}") from None
    if parts.scheme.lower() not in _DEFAULT_PORTS or not has_host:
        raise InvalidURLError("is not an absolute http:// or https:// URL")
    return parts


def _encode_netloc(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    elif not host.isascii():
        try:
            host = encode_host(host)
        except UnicodeError:
            raise InvalidURLError(f"has an invalid host name ({host:.200})") from None
    if re.search(r"[\s<>\"{}|\\^`%]", host):
        raise InvalidURLError(f"has an invalid host name ({host:.200})")
    if parts.username is not None or parts.password is not None:
        raise InvalidURLError("has a user name or password in it")
    port = parts.port
    return host if port is None or port == _DEFAULT_PORTS[parts.scheme.lower()] else f"{host}:{port}"


def encode_host(host: str) -> str:
    """The name of a host in ASCII (punycode). Raises UnicodeError for an invalid name.

    The length of labels is checked first, because the codec's time grows with its square.
    """
    labels = unicodedata.normalize("NFKC", host).replace("\u3002", ".").split(".")
    if any(len(label) > _LABEL for label in labels):
        raise UnicodeError
    return host.encode("idna").decode("ascii")


def _encode_part(part: str, safe: str) -> str:
    whole = _STRAY_PERCENT.sub("%25", part)
    return _ESCAPE.sub(_normalize_escape, quote(whole, safe=safe))


def _normalize_escape(escape: re.Match[str]) -> str:
    character = chr(int(escape[0][1:], 16))
    return character if _UNRESERVED.fullmatch(character) else escape[0].upper()


def _without_dots(path: str) -> str:
    """The encoded path without the steps ``.`` and ``..`` (RFC 3986, section 5.2.4). Empty folders are kept."""
    kept: list[str] = []
    steps = path.split("/")[1:] or [""]
    for step in steps:
        if step == "..":
            del kept[-1:]
        elif step != ".":
            kept.append(step)
    return "/".join(["", *kept, *([""] if steps[-1] in {".", ".."} else [])])


def parse_base_url(url: str, *, is_written: bool = True, is_live: bool = False) -> str:
    """The base URL in its normal form: encoded, with a slash at its end.

    What an author has written also loses empty folders. In the URLs of built pages (``is_written=False``) these may be
    intended. Raises `InvalidURLError` if it is not absolute, has a query or fragment, is that of a page such as
    index.html, or is local to one machine or network. A site that is asked (``is_live``) may be local, and its URL is
    often confused with that of its sitemap, which is refused.
    """
    encoded = encode_url(without_empty_folders(url.strip()) if is_written else url.strip())
    parts = urlsplit(encoded)
    if parts.query or "#" in url:
        raise InvalidURLError("has a query or a fragment in it")
    if is_local(encoded) and not is_live:
        raise InvalidURLError("is a local address, which readers cannot open")
    endings = (".html", ".htm", ".xml", ".txt", ".gz") if is_live else (".html", ".htm")
    if (name := parts.path.rpartition("/")[2]).lower().endswith(endings):
        raise InvalidURLError(f"is the URL of a {'file' if is_live else 'page'} (leave out {name})")
    return encoded if encoded.endswith("/") else encoded + "/"


def without_empty_folders(url: str) -> str:
    """The URL with one slash wherever its path has several in a row."""
    scheme, separator, rest = url.partition("://")
    return scheme + separator + re.sub("//+", "/", rest)


def cut_url(url: str) -> str:
    """A URL from a file, without what makes it even longer than the longest valid one: it remains too long."""
    return url[: LOC_LENGTH + 1]


def root_of(url: str) -> str:
    """The root URL of an absolute URL's host, with scheme and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"


def path_in(folder: str, path: str) -> str:
    """Join a folder and a path in it with a forward slash; an empty folder is the root."""
    return f"{folder}/{path}" if folder else path


def absolute_url(base: str, href: str) -> str | None:
    """The URL that a link on the page at ``base`` leads to, as written; None if it is not a URL."""
    try:
        return urljoin(base, href)
    except ValueError:
        return None


def ends_of(path: str) -> Iterator[str]:
    """The path and its ends after each slash, the longest first: ``a/b/c``, ``b/c``, ``c``."""
    while path:
        yield path
        path = path.partition("/")[2]


def relative_url(page: str, other: str) -> str:
    """A link from one page to another, relative if both are on one host, so that it also works elsewhere.

    Both are absolute and encoded.
    """
    here, there = urlsplit(page), urlsplit(other)
    if here[:2] != there[:2] or "//" in there.path or "/." in there.path:
        return other
    folder = here.path.rpartition("/")[0] or "/"
    path = posixpath.relpath(there.path, folder)
    if path == ".":
        path = "./"
    elif there.path.endswith("/"):
        path += "/"
    # A colon in the first step would be the end of a scheme (RFC 3986, section 4.2).
    path = f"./{path}" if ":" in path.partition("/")[0] else path
    return f"{path}?{there.query}" if there.query else path


def is_inside(path: str) -> bool:
    """Whether a relative path with forward slashes leads to a file inside its folder on every system."""
    parts = PurePosixPath(path)
    return not parts.is_absolute() and bool(parts.parts) and ".." not in parts.parts and _FOREIGN.isdisjoint(path)


def file_path(base_url: str, url: str) -> str | None:
    """The path that a server looks up for a URL in the folder of ``base_url``; None if it is not below it or too long.

    It is empty for the base itself. Only ``base_url`` has to be in its normal form.
    """
    url = normalize_url(url)
    if f"{url}/" == base_url:
        return ""
    if not url.startswith(base_url) or len(url) > LOC_LENGTH:
        return None
    return decode_path(url[len(base_url) :].partition("?")[0].partition("#")[0])


def decode_path(path: str) -> str:
    """The name of a file for the encoded path of its URL: decoded as by `os.fsdecode`, in ASCII if the locale is C."""
    return unquote(path, sys.getfilesystemencoding(), "surrogateescape")


def quote_path(path: str, safe: str = "/") -> str:
    """The path of a file, quoted for a URL by its bytes: names need not be valid UTF-8. ``safe`` is as in `quote`."""
    try:
        return quote(os.fsencode(path), safe)
    except UnicodeEncodeError:  # no file has this name in the locale; it was written in a text, which is in UTF-8
        return quote(path, safe, errors="surrogateescape")


def file_key(path: str) -> str:
    """A key that is equal for all names of a file on systems that ignore case and Unicode forms (Windows)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def is_local(url: str) -> bool:
    """Whether the URL's host is this machine (localhost, 127.0.0.0/8, ::1) or belongs to a private network."""
    host = _host_of(url)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return bool(_NUMERIC.fullmatch(host) and re.fullmatch(_LOCAL_HOST, host))


def is_unreachable(url: str) -> bool:
    """Whether search engines cannot fetch a URL, because its host is local or that of a preview."""
    return is_local(url) or preview_at(url) is not None


def preview_at(url: str) -> str | None:
    """The hosting service whose previews use the URL's host; None for all other hosts (SM-LOC-12)."""
    host = _host_of(url)
    if host.endswith(".readthedocs.build"):
        return "Read the Docs"
    return "Netlify" if host.startswith("deploy-preview-") and host.endswith(".netlify.app") else None


def _host_of(url: str) -> str:
    """The host of a URL; empty if it has none, as any text that is not a URL."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def tracking_parameter(url: str) -> str | None:
    """A parameter of an encoded URL that identifies visitors, such as ``utm_source`` or a session id (SM-LOC-12)."""
    found = re.search(_TRACKING, url) if "=" in url else None
    return found[1] if found else None


def path_below(base_url: str, url: str) -> str | None:
    """The decoded path of ``url`` below ``base_url`` (``guides/install/``); None if it is not below it.

    Both are encoded. The home page is ``index.html``, because globs cannot match an empty path.
    """
    if not url.startswith(base_url):
        return None
    return unquote(url[len(base_url) :].partition("?")[0]) or "index.html"


def page_key(url: str) -> str:
    """A key that is equal for URLs of the same page: without index.html, trailing slash and fragment.

    The case of the host, the default port and the form of percent-encoding make no difference either. An unusable URL
    is its own key.
    """
    if is_plain(url):  # the usual case
        return f"{(url.removesuffix('index.html') if url.endswith('/index.html') else url).rstrip('/')}?"
    encoded = usable_url(url)
    if encoded is None:
        return url
    parts = urlsplit(encoded)
    path = parts.path.removesuffix("index.html") if parts.path.endswith("/index.html") else parts.path
    return f"{parts.scheme}://{parts.netloc}{unquote(path).rstrip('/')}?{unquote(parts.query)}"


def spelling_key(url: str) -> str:
    """A key that is equal for all spellings of a page's URL, however its server treats them.

    Unlike `page_key`, it also leaves out the scheme, ``.html`` and ``.htm``. Different pages of a site may have the
    same key, such as ``a.html`` and ``a/``.
    """
    host, _, query = page_key(url).partition("://")[2].rpartition("?")
    return f"{host.removesuffix('.html').removesuffix('.htm').removesuffix('/index').rstrip('/')}?{query}"
