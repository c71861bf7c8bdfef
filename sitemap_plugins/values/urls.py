"""URLs as values: encoded once (RFC 3986), compared as pages, and kept below the site's base."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from typing import Final
from unicodedata import normalize
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

from sitemap_plugins.values.text import CONTROL

LOC_LENGTH: Final = 2047
"""The longest ``loc``, in characters after encoding (sitemaps.org: "less than 2,048 characters")."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
# Most URLs of documentation are plain; these need no second look.
_ENCODED = re.compile(r"https?://[a-z0-9.-]*[a-z0-9]/[A-Za-z0-9._~/-]*")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_LABEL = 63  # characters (RFC 1035 section 2.3.4)
# RFC 6761, RFC 1918, RFC 3927, RFC 4193 and RFC 4291: nobody outside can open these. Names of hosts need no look.
_NUMERIC = re.compile(r"[0-9.]+|.*:.*")
_LOCAL_HOST = (
    r"(?:127|10)(?:\.\d+){3}|0\.0\.0\.0|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}"
    r"|169\.254(?:\.\d+){2}|::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*"
)
# What tells visitors apart, and not pages.
_TRACKING = (
    r"(?i)[?&;](utm_[a-z]+|gclid|dclid|fbclid|msclkid|yclid|mc_[ce]id|_ga|(?:php|j|asp\.net_)?session_?id|phpsessid)="
)
# What would lead elsewhere on another system: a folder, a drive, a stream, the end of the name.
_FOREIGN = frozenset("\\:\0")
_BREAKS = frozenset("\t\n\r")
# RFC 3986: pchar and "/" for the path, and "?" besides for the query. The percent sign stays: it was checked before.
_PATH_SAFE = "/%:@!$&'()*+,;=~"
_QUERY_SAFE = _PATH_SAFE + "?"


class InvalidURLError(ValueError):
    """A URL that cannot be published; the message completes the sentence "it …"."""


def encode_url(url: str) -> str:
    """The URI for a URL or IRI: percent-encoded UTF-8, punycode host, no fragment. Encoding it again changes nothing.

    Existing escapes are kept (in upper case), a stray ``%`` becomes ``%25`` (RFC 3986 section 2, RFC 3987 section 3.1).
    Raises `InvalidURLError` for a control character, a scheme other than http(s), a missing or impossible host.
    """
    if _ENCODED.fullmatch(url):
        return url
    if CONTROL.search(url) or not _BREAKS.isdisjoint(url):
        raise InvalidURLError("has a control character in it")
    parts = _split(url)
    return urlunsplit(
        (
            parts.scheme.lower(),
            _encode_netloc(parts),
            _encode_part(parts.path, _PATH_SAFE) or "/",
            _encode_part(parts.query, _QUERY_SAFE),
            "",
        )
    )


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise InvalidURLError(f"is not a URL ({error})") from None
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
            raise InvalidURLError(f"has a host name that cannot exist ({host:.253})") from None
    if re.search(r"[\s<>\"{}|\\^`%]", host):
        raise InvalidURLError(f"has a host name that cannot exist ({host})")
    if parts.username is not None or parts.password is not None:
        raise InvalidURLError("has a user name or password in it")
    port = parts.port
    return host if port is None or port == _DEFAULT_PORTS[parts.scheme.lower()] else f"{host}:{port}"


def encode_host(host: str) -> str:
    """The name of a host in ASCII (punycode). Raises UnicodeError for one that cannot exist.

    The codec takes the square of the length of a label, before it finds that a label has at most 63 characters.
    """
    labels = unicodedata.normalize("NFKC", host).replace("\u3002", ".").split(".")
    if any(len(label) > _LABEL for label in labels):
        raise UnicodeError
    return host.encode("idna").decode("ascii")


def _encode_part(part: str, safe: str) -> str:
    whole = _STRAY_PERCENT.sub("%25", part)
    return _ESCAPE.sub(lambda match: match[0].upper(), quote(whole, safe=safe))


def parse_base_url(url: str) -> str:
    """The base URL in its one form: encoded, ending with a slash.

    Raises `InvalidURLError` when it is not absolute, has a query, or can be opened on one machine only (localhost).
    """
    encoded = encode_url(url.strip())
    parts = urlsplit(encoded)
    if parts.query or "#" in url:
        raise InvalidURLError("has a query or a fragment in it")
    if is_local(encoded):
        raise InvalidURLError("is a local address, which readers cannot open")
    return encoded if encoded.endswith("/") else encoded + "/"


def root_of(url: str) -> str:
    """The URL of the root of the host, with scheme and port, of an absolute URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"


def path_in(folder: str, path: str) -> str:
    """The path, with forward slashes, of what has this path in a folder; an empty one is the root of both."""
    return f"{folder}/{path}" if folder else path


def is_inside(path: str) -> bool:
    """Whether a relative path with forward slashes leads to a file inside its folder, on every system."""
    parts = PurePosixPath(path)
    return not parts.is_absolute() and bool(parts.parts) and ".." not in parts.parts and _FOREIGN.isdisjoint(path)


def file_path(base_url: str, url: str) -> str | None:
    """What a server looks for in the folder of ``base_url`` when it is asked for a URL; None if that is not below it.

    It is empty for the base itself. A name that is no text in UTF-8 is as `os.fsdecode` has it.
    """
    if f"{url}/" == base_url:
        return ""
    if not url.startswith(base_url):
        return None
    return unquote(url[len(base_url) :].partition("?")[0].partition("#")[0], errors="surrogateescape")


def file_key(path: str) -> str:
    """What the names of one file have in common where the case and the form of letters make no difference (Windows)."""
    return normalize("NFC", normalize("NFC", path).casefold())


def is_local(url: str) -> bool:
    """Whether the URL's host is this machine itself (localhost, 127.0.0.0/8, ::1) or one of a private network."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return bool(_NUMERIC.fullmatch(host) and re.fullmatch(_LOCAL_HOST, host))


def preview_at(url: str) -> str | None:
    """The name of the hosting service, where the host of the URL has nothing but previews (SM-LOC-12)."""
    host = urlsplit(url).hostname or ""
    if host.endswith(".readthedocs.build"):
        return "Read the Docs"
    return "Netlify" if host.startswith("deploy-preview-") and host.endswith(".netlify.app") else None


def tracking_parameter(url: str) -> str | None:
    """A parameter of an encoded URL that tells visitors apart, such as ``utm_source`` or a session's (SM-LOC-12)."""
    found = re.search(_TRACKING, url) if "=" in url else None
    return found[1] if found else None


def path_below(base_url: str, url: str) -> str | None:
    """The decoded path of ``url`` below ``base_url`` (``guides/install/``), or None when it does not lie below it.

    Both are encoded. The home page is ``index.html``, since globs cannot match an empty path.
    """
    if not url.startswith(base_url):
        return None
    return unquote(url[len(base_url) :].partition("?")[0]) or "index.html"


def page_key(url: str) -> str:
    """What two URLs of the same page have in common: without index.html, trailing slash and fragment.

    The case of the host, the default port and the way of percent-encoding make no difference either.
    An unusable URL is its own key.
    """
    try:
        encoded = encode_url(url)
    except InvalidURLError:
        return url
    parts = urlsplit(encoded)
    path = parts.path.removesuffix("index.html") if parts.path.endswith("/index.html") else parts.path
    return f"{parts.scheme}://{parts.netloc}{unquote(path).rstrip('/')}?{unquote(parts.query)}"


def spelling_key(url: str) -> str:
    """What all spellings of the URL of one page have in common, whatever its server makes of them.

    Besides what `page_key` leaves out these are the scheme, ``.html`` and ``.htm``. Pages that a site has beside each
    other may have one key, such as ``a.html`` and ``a/``.
    """
    host, _, query = page_key(url).partition("://")[2].rpartition("?")
    return f"{host.removesuffix('.html').removesuffix('.htm').removesuffix('/index').rstrip('/')}?{query}"
