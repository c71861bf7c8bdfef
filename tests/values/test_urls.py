"""URLs: encoded once, compared as pages, located below the base."""

import os
import re
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sitemap_plugins.values.urls import (
    InvalidURLError,
    encode_url,
    file_key,
    file_path,
    is_inside,
    is_local,
    is_plain,
    page_key,
    parse_base_url,
    path_below,
    quote_path,
    relative_url,
    tracking_parameter,
)

BASE = "https://example.org/docs/"
# RFC 3986, without the fragment: only reserved and unreserved characters, and complete escapes.
URI = re.compile(r"https?://[^/]+/(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-F]{2})*")

hosts = st.sampled_from(
    ["example.org", "EXAMPLE.org:8080", "bücher.example", "日本語.jp", "[2001:db8::1]", "192.0.2.1"]
)
paths = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"))
urls = st.builds("{}://{}/{}".format, st.sampled_from(["http", "https", "HTTPS"]), hosts, paths)


@pytest.mark.parametrize(
    ("url", "encoded"),
    [
        ("https://example.org", "https://example.org/"),
        ("HTTPS://Example.ORG/Path", "https://example.org/Path"),
        ("https://example.org:443/", "https://example.org/"),
        ("http://example.org:443/", "http://example.org:443/"),
        ("https://example.org:/", "https://example.org/"),
        ("http://example.org:80/a", "http://example.org/a"),
        ("http://example.org:08080/a", "http://example.org:8080/a"),
        ("https://example.org/é b.html", "https://example.org/%C3%A9%20b.html"),
        ("https://example.org/100%", "https://example.org/100%25"),
        ("https://example.org/%zz%4", "https://example.org/%25zz%254"),
        ("https://example.org/a?q=ü&r=%2f#part", "https://example.org/a?q=%C3%BC&r=%2F"),
        ("https://example.org/a:@!$&'()*+,;=~b", "https://example.org/a:@!$&'()*+,;=~b"),
        ('https://example.org/<"[]{}|\\^`>', "https://example.org/%3C%22%5B%5D%7B%7D%7C%5C%5E%60%3E"),
        ("https://example.org//a//", "https://example.org//a//"),
        ("https://example.org/%7euser/%41%2d%2F", "https://example.org/~user/A-%2F"),
        ("https://example.org/a/./b/../c/.", "https://example.org/a/c/"),
        ("https://example.org/../a/..", "https://example.org/"),
        ("https://example.org/a//../%2E%2e/b?c=/../d", "https://example.org/b?c=/../d"),
        ("https://example.org/.well-known/...", "https://example.org/.well-known/..."),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("http://[2001:DB8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
        ("https://example.org/\U0001f600", "https://example.org/%F0%9F%98%80"),
    ],
)
def test_a_url_is_encoded_once(url: str, encoded: str) -> None:
    """SM-LOC-06, SM-LOC-07."""
    assert encode_url(url) == encoded
    assert encode_url(encoded) == encoded


@pytest.mark.parametrize("port", ["1", "443", "8080", "9999"])
def test_a_url_with_a_port_is_plain(port: str) -> None:
    assert is_plain(f"http://example.org:{port}/a/") == (port != "443")


@given(urls)
@example("https://example.org/%")
@example("https://example.org/%25zz?%c3#%")
def test_encoding_gives_a_uri_and_encoding_again_changes_nothing(url: str) -> None:
    encoded = encode_url(url)
    assert encoded.isascii()
    assert URI.fullmatch(encoded)
    assert encode_url(encoded) == encoded


@given(st.text() | st.text().map("https://{}".format))
def test_any_text_is_encoded_or_refused(text: str) -> None:
    try:
        encoded = encode_url(text)
    except InvalidURLError as error:
        assert str(error)
    else:
        assert encoded.isascii()
        assert encode_url(encoded) == encoded


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("/docs/", "is not an absolute http:// or https:// URL"),
        ("ftp://example.org/", "is not an absolute http:// or https:// URL"),
        ("https:///docs", "is not an absolute http:// or https:// URL"),
        ("https://example.org:0/", "is not an absolute http:// or https:// URL"),
        ("https://example.org:99999/", "is not a URL (Port out of range 0-65535)"),
        ("https://[::1/", "is not a URL (Invalid IPv6 URL)"),
        ("https://me@example.org/", "has a user name or password in it"),
        ("https://:secret@example.org/", "has a user name or password in it"),
        ("https://exa mple.org/", "has an invalid host name (exa mple.org)"),
        ("https://{{host}}/", "has an invalid host name ({{host}})"),
        (f"https://{'a<' * 200}/", f"has an invalid host name ({'a<' * 100})"),
        pytest.param(
            "https://example.org/" + "é/" * 10_000_000,
            "is 20000020 characters long; at most 2047 are allowed",
            id="as long as a page",
        ),
        ("é" * 2048, "is 2048 characters long; at most 2047 are allowed"),
        ("é" * 2047, "is not an absolute http:// or https:// URL"),
        (f"https://{'ü' * 80}.de/", f"has an invalid host name ({'ü' * 80}.de)"),
        ("https://ü\uff05.de/", "has an invalid host name (xn--%-dha.de)"),
        *(
            (f"https://example.org/a{mark}b", "has a control character in it")
            for mark in "\n\t\x00\x7f\x85\ud800\uffff"
        ),
    ],
)
def test_an_unsuitable_url_is_refused(url: str, why: str) -> None:
    """SM-LOC-01, SM-LOC-02."""
    with pytest.raises(InvalidURLError) as error:
        encode_url(url)
    assert str(error.value) == why


@pytest.mark.parametrize(
    ("url", "base_url"),
    [
        ("https://example.org", "https://example.org/"),
        (" https://example.org/docs ", "https://example.org/docs/"),
        ("https://Example.org:443/dócs/", "https://example.org/d%C3%B3cs/"),
        ("https://example.org//docs///", "https://example.org/docs/"),
    ],
)
def test_a_base_url_ends_with_a_slash(url: str, base_url: str) -> None:
    assert parse_base_url(url) == base_url
    assert parse_base_url(base_url) == base_url


def test_only_an_author_s_url_loses_empty_folders() -> None:
    assert parse_base_url("https://example.org//docs//", is_written=False) == "https://example.org//docs//"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("docs/", "is not an absolute http:// or https:// URL"),
        ("https://example.org/?lang=en", "has a query or a fragment in it"),
        ("https://example.org/#top", "has a query or a fragment in it"),
        ("http://localhost:8000/", "is a local address, which readers cannot open"),
        ("https://example.org/docs/Index.HTML", "is the URL of a page (leave out Index.HTML)"),
    ],
)
def test_a_base_url_that_readers_cannot_open_is_refused(url: str, why: str) -> None:
    with pytest.raises(InvalidURLError) as error:
        parse_base_url(url)
    assert str(error.value) == why


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost/", True),
        ("http://docs.localhost/", True),
        ("http://127.8.9.10:8000/", True),
        ("http://[::1]/", True),
        ("http://0.0.0.0:8000/", True),
        # RFC 1918, RFC 3927, RFC 4193 and RFC 4291: the first and last address of each network, and their neighbours.
        *((f"http://{host}/", True) for host in ("10.0.0.0", "10.255.255.255", "192.168.0.1", "192.168.255.255")),
        *((f"http://{host}/", True) for host in ("172.16.0.0", "172.20.1.1", "172.31.255.255", "169.254.169.254")),
        *((f"http://[{host}]:8000/", True) for host in ("fc00::1", "fdff::", "fd12:3456::1", "fe80::1", "febf::1")),
        *((f"http://{host}/", False) for host in ("9.255.255.255", "11.0.0.0", "100.64.0.1", "192.167.0.1")),
        *((f"http://{host}/", False) for host in ("172.15.0.1", "172.32.0.1", "169.253.0.1", "110.0.0.1", "1.10.0.0")),
        *((f"http://[{host}]/", False) for host in ("2001:db8::1", "fec0::1", "fbff::1", "::2", "2001:fd00::1")),
        *((f"http://{host}/", False) for host in ("10.0.0.0.example.org", "10.example.org", "fd00.example.org")),
        ("https://localhost.example.org/", False),
        ("https://notlocalhost/", False),
        *(
            (url, False) for url in ("http://[::1/", "http://a]b/", "https://[x]/", "http://ex\u2100.org/", "")
        ),  # no URLs
    ],
)
def test_a_local_url_is_recognized_by_its_host(url: str, *, expected: bool) -> None:  # SM-LOC-12
    assert is_local(url) is expected


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (BASE, "index.html"),
        (BASE + "?v=1", "index.html"),
        (BASE + "guides/install/", "guides/install/"),
        (BASE + "%C3%A9%20b.html?q=1", "é b.html"),
        ("https://example.org/docs", None),
        ("https://example.org/docs-old/a", None),
    ],
)
def test_the_path_below_the_base_is_decoded(url: str, path: str | None) -> None:
    assert path_below(BASE, url) == path


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a é/",
        "https://example.org/a é",
        "https://example.org/a é/index.html",
        "https://example.org/a%20%c3%a9",
        "https://EXAMPLE.org:443/a é",
        "https://example.org/%61 é#part",
    ],
)
def test_the_same_page_in_another_form_has_the_same_key(url: str) -> None:
    assert page_key(url) == page_key("https://example.org/a%20%C3%A9/")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/b/",
        "https://example.org/a/myindex.html",
        "https://example.org/a.html",
        "https://example.org/a/?page=2",
        "http://example.org/a/",
        "https://example.org:8443/a/",
        "/a/",
        "",
    ],
)
def test_another_page_has_another_key(url: str) -> None:
    assert page_key(url) != page_key("https://example.org/a/")


@given(urls | st.text())
def test_every_text_has_a_key_and_encoding_does_not_change_it(url: str) -> None:
    try:
        encoded = encode_url(url)
    except InvalidURLError:
        assert page_key(url) == url
    else:
        assert page_key(encoded) == page_key(url)
        assert urlsplit(page_key(url)).hostname == urlsplit(encoded).hostname


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *((path, True) for path in ("a", "a/b.xml", "./a", ".a", "a..b", "a/./b", "ä b", "*?")),
        *((path, False) for path in ("", ".", "/", "/a", "..", "../a", "a/../b", "a/..", "C:a", "a\\b", "a:b", "a\0")),
    ],
)
def test_a_path_is_inside_its_folder_on_every_system(path: str, *, expected: bool) -> None:
    assert is_inside(path) is expected


def test_a_file_has_one_key_in_every_spelling_of_its_name() -> None:
    assert len({*map(file_key, ("caf\xe9/Sitemap.xml", "cafe\u0301/sitemap.xml", "CAF\xc9/SITEMAP.XML"))}) == 1
    assert len({*map(file_key, ("cafe/sitemap.xml", "caf\xe9/sitemap.xml", "caf\xe9/sitemap.xml.gz"))}) == 3


class TestTrackingParameters:
    """Parameters that identify visitors instead of pages (SM-LOC-12)."""

    @pytest.mark.parametrize(
        ("query", "parameter"),
        [
            *((f"?{name}=1", name) for name in ("utm_source", "utm_medium", "utm_campaign", "UTM_Term", "utm_id")),
            *((f"?a=b&{name}=x&c=d", name) for name in ("gclid", "dclid", "fbclid", "msclkid", "yclid", "_ga")),
            *(
                (f"?{name}=", name)
                for name in ("mc_cid", "mc_eid", "PHPSESSID", "sessionid", "session_id", "SessionID")
            ),
            *((f"?a;{name}=x", name) for name in ("jsessionid", "ASP.NET_SessionId", "phpsession_id")),
            (";jsessionid=ABC", "jsessionid"),
            ("a;jsessionid=ABC?b=c", "jsessionid"),
            ("?utm_source=a&gclid=b", "utm_source"),
        ],
    )
    def test_are_found(self, query: str, parameter: str) -> None:
        assert tracking_parameter(encode_url(BASE + query)) == parameter

    @pytest.mark.parametrize(
        "query",
        [
            *("", "?", "?a=b", "?page=2", "?lang=en&utm=1", "?q=utm_source", "?utm_source", "?a=utm_source=1"),
            *("utm_source=1", "?xutm_source=1", "?session=1", "?sid=1", "?obsession_id=1", "?gclidx=1", "?my_ga=1"),
            *("?a%26utm_source=1", "?ref=gclid", "gclid/=/"),
        ],
    )
    def test_are_not_confused_with_others(self, query: str) -> None:
        assert tracking_parameter(encode_url(BASE + query)) is None


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (BASE, ""),
        (BASE.removesuffix("/"), ""),
        (f"{BASE}a/", "a/"),
        (f"{BASE}a%20b/%C3%BC.html?q=1/2#c/d", "a b/ü.html"),
        (f"{BASE}caf%E9", "caf\udce9"),
        (f"{BASE}?q", ""),
        ("https://example.org/doc", None),
        ("https://example.org/", None),
        ("", None),
    ],
)
def test_the_path_where_a_server_looks_for_a_url(url: str, path: str | None) -> None:
    assert file_path(BASE, url) == path


def test_a_name_that_the_locale_cannot_encode_is_quoted_in_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one of a file on disk, but for example one in a file of redirects."""
    names = {"é b.md": "%C3%A9%20b.md", os.fsdecode(b"\xff.md"): "%FF.md"}
    assert {name: quote_path(name) for name in names} == names
    monkeypatch.setattr(os, "fsencode", lambda name: name.encode("ascii", "surrogateescape"))
    assert {name: quote_path(name) for name in names} == names


@pytest.mark.parametrize(
    ("page", "target", "link"),
    [
        ("https://x.org/a/", "https://x.org/", "../"),
        ("https://x.org/a/", "https://x.org/a/", "./"),
        ("https://x.org/a/", "https://x.org/b/c/?q=1", "../b/c/?q=1"),
        ("https://x.org/a.html", "https://x.org/", "./"),
        ("https://x.org/a.html", "https://x.org/b:c.html", "./b:c.html"),
        ("https://x.org/d/a", "https://x.org/b/%C3%A9", "../b/%C3%A9"),
        ("https://x.org/a/", "https://x.org/b//c/", "https://x.org/b//c/"),
        ("https://x.org/a/", "https://x.org/b/../c", "https://x.org/b/../c"),
        ("https://x.org/a/", "http://x.org/a/", "http://x.org/a/"),
    ],
)
def test_a_link_between_pages_is_relative_if_it_can_be(page: str, target: str, link: str) -> None:
    assert relative_url(page, target) == link


@given(page=urls, target=urls)
def test_a_relative_link_leads_to_its_target(page: str, target: str) -> None:
    try:
        page, target = encode_url(page), encode_url(target)
    except InvalidURLError:
        assume(False)  # noqa: FBT003  # hypothesis has no names for it
    assert urljoin(page, relative_url(page, target)) == target
