"""What is read of a site on its server: robots.txt, the sitemaps, and the heads of the listed pages."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from sitemap_plugins.live.fetching import Manners
from sitemap_plugins.live.fetching import Server as AskedServer
from sitemap_plugins.live.site import LiveError, LiveSite, fetch_pages, parse_site_url, read_sitemaps
from sitemap_plugins.pages.crawl_rules import Served
from tests.live.servers import Answer, Request, Server, files_at

QUICK = Manners(rate=0, pauses=(0,))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "live").mkdir()
    return tmp_path / "live"


def urlset(*locs: str) -> bytes:
    entries = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()


def index(*locs: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'.encode()


class Site:
    """A site on a server whose answers can be set when its URL is known."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.url = server.url
        self.folder = folder
        self.asked = AskedServer(server.url, QUICK)

    def answer(self, files: Mapping[str, bytes], **statuses: int) -> None:
        self.server.answer = files_at(files, {f"/{path}": status for path, status in statuses.items()})

    def answer_as(self, answer: Answer) -> None:
        self.server.answer = answer

    def sitemaps(self, path: str = "") -> LiveSite:
        return read_sitemaps(f"{self.url}{path}", str(self.folder), self.asked)

    def pages(self, files: Mapping[str, bytes], *locs: str, most: int | None = None) -> LiveSite:
        self.answer({"sitemap.xml": urlset(*(f"{self.url}{loc}" for loc in locs)), **files})
        found = self.sitemaps()
        self.server.requests.clear()
        return fetch_pages(found, self.asked, most=most)

    def stored(self) -> dict[str, bytes]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    with Server.running(lambda request: request.send(404)) as server:
        yield Site(server, folder)


class TestURLs:
    @pytest.mark.parametrize(
        ("url", "found"),
        [
            ("https://docs.example.org", "https://docs.example.org/"),
            (" HTTPS://Docs.Example.org:443/a b ", "https://docs.example.org/a%20b/"),
            ("http://localhost:8000/", "http://localhost:8000/"),
            ("http://10.0.0.1", "http://10.0.0.1/"),
            ("https://docs.example.org/2.0", "https://docs.example.org/2.0/"),
            ("https://example.xml", "https://example.xml/"),
            ("https://bücher.example", "https://xn--bcher-kva.example/"),
        ],
    )
    def test_a_site_has_a_url_with_a_slash(self, url: str, found: str) -> None:
        assert parse_site_url(url) == found

    @pytest.mark.parametrize(
        ("url", "why"),
        [
            ("https://me:secret@docs.example.org/", "a user name or password"),
            ("https://me:secret@ex\u2100mple.org/", "is not a URL$"),
            ("https://me:secret/@example.org/", "is not a URL$"),
            ("https://docs.example.org/?a", "a query or a fragment"),
            ("https://docs.example.org/#a", "a query or a fragment"),
            ("https://[", "not a URL"),
            ("https://docs.example.org:99999/", "not a URL"),
            ("https://a\nb/", "a control character"),
            ("https://docs.example.org/en/sitemap.xml.gz", "is the URL of a file .leave out sitemap.xml.gz.$"),
        ],
    )
    def test_others_are_refused(self, url: str, why: str) -> None:
        with pytest.raises(LiveError, match=why) as error:
            parse_site_url(url)
        assert "secret" not in str(error.value)
        assert not error.value.is_temporary


class TestSitemaps:
    def test_those_that_robots_txt_announces_are_read(self, site: Site) -> None:
        robots = f"Sitemap: {site.url}index.xml\nSitemap: https://docs.example.org/sitemap.xml\n".encode()
        files = {
            "robots.txt": robots,
            "index.xml": index(f"{site.url}a.xml", f"{site.url}b%20c.xml", f"{site.url}a.xml", "https://x.org/d.xml"),
            "a.xml": urlset(site.url, f"{site.url}a/"),
            "b c.xml": urlset("https://x.org/b/"),
        }
        site.answer(files)
        found = site.sitemaps()
        assert site.server.paths == ["/robots.txt", "/index.xml", "/a.xml", "/b%20c.xml"]
        assert site.stored() == files
        assert [*found.sitemaps] == ["index.xml", "a.xml", "b c.xml"]
        assert [each.loc for each in found.entries] == [site.url, f"{site.url}a/"]
        assert found.served == {f"{site.url}{name}": Served(200) for name in ("index.xml", "a.xml", "b%20c.xml")}

    @pytest.mark.parametrize("robots", [b"", b"Sitemap: https://docs.example.org/sitemap.xml", b"Sitemap: /a.xml"])
    @pytest.mark.parametrize("status", [200, 403, 404])
    def test_without_an_announcement_the_usual_name_is_asked_for(self, site: Site, robots: bytes, status: int) -> None:
        site.answer({"robots.txt": robots, "docs/sitemap.xml": urlset()}, **{"robots.txt": status})
        assert [*site.sitemaps("docs/").sitemaps] == ["sitemap.xml"]
        assert site.server.paths == ["/robots.txt", "/docs/sitemap.xml"]

    def test_urls_count_in_their_normal_form(self, site: Site) -> None:
        other = site.url.replace("http:", "HTTP:")
        locs = (f"{other}a b.xml", f"{site.url}%61%20b.xml", f"{site.url}c/../../../etc.xml", f"{site.url}a\tb.xml")
        site.answer({"sitemap.xml": index(*locs), "a b.xml": urlset()})
        found = site.sitemaps()
        assert site.server.paths == ["/robots.txt", "/sitemap.xml", "/a%20b.xml", "/etc.xml"]
        assert [*found.sitemaps] == ["sitemap.xml", "a b.xml"]

    def test_redirects_on_the_server_are_followed(self, site: Site) -> None:
        moves = {"/robots.txt": "/r", "/sitemap.xml": "/moved.xml"}

        def answer(request: Request) -> None:
            if target := moves.get(request.path):
                request.send(301, Location=target)
            else:
                request.send(200, b"" if request.path == "/r" else urlset())

        site.answer_as(answer)
        found = site.sitemaps()
        assert [*found.sitemaps] == ["sitemap.xml"]
        assert site.stored() == {"robots.txt": b"", "sitemap.xml": urlset()}

    def test_those_that_are_not_sent_are_named(self, site: Site) -> None:
        site.answer({"sitemap.xml": index(f"{site.url}a.xml", f"{site.url}b.xml")}, **{"a.xml": 500})
        found = site.sitemaps()
        assert {url: each for url, each in found.served.items() if not each.is_sent} == {
            f"{site.url}a.xml": Served(500, problem="the server answers 500"),
            f"{site.url}b.xml": Served(404),
        }

    def test_an_endless_chain_of_indexes_is_not_followed(self, site: Site) -> None:
        site.answer_as(lambda request: request.send(200, index(f"{site.url}{len(site.server.paths)}.xml")))
        found = site.sitemaps()
        assert len(site.server.paths) == 4  # robots.txt, an index, and two in it
        assert [each.kind for each in found.sitemaps.values()] == ["index", "index", "index", "unusable"]

    @pytest.mark.parametrize("names", [("sitemap.xml?page=1", "sitemap.xml?page=2"), ("s/a.xml", "s%2Fa.xml")])
    def test_one_with_the_path_of_another_is_not_read(self, site: Site, names: tuple[str, str]) -> None:
        lines = "".join(f"Sitemap: {site.url}{name}\n" for name in names)
        site.answer({"robots.txt": lines.encode(), "sitemap.xml": urlset(site.url), "s/a.xml": urlset(site.url)})
        first, second = site.sitemaps().served.values()
        assert (first.problem, second.problem) == ("", "another sitemap has its path, or no file can have it")

    @pytest.mark.parametrize(("status", "is_temporary"), [(404, False), (410, False), (503, True), (403, False)])
    def test_a_site_without_any_is_an_error(self, site: Site, status: int, *, is_temporary: bool) -> None:
        site.answer({}, **{"sitemap.xml": status})
        with pytest.raises(
            LiveError, match=rf"there is no sitemap for {site.url}: {site.url}sitemap.xml .*{status}"
        ) as no:
            site.sitemaps()
        assert no.value.is_temporary == is_temporary
        hint = "; if it is at another URL, announce that URL in robots.txt"
        assert str(no.value).endswith(hint) == (status in {404, 410})

    def test_a_sitemap_above_the_url_leads_to_the_whole_site(self, site: Site) -> None:
        site.answer({"robots.txt": f"Sitemap: {site.url}sitemap.xml".encode()})
        with pytest.raises(LiveError, match=rf"announces {site.url}sitemap.xml, .*: give the URL of the whole site"):
            site.sitemaps("docs/")

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_nothing_is_read_if_robots_txt_has_no_answer(self, site: Site, status: int) -> None:
        site.answer({"sitemap.xml": urlset()}, **{"robots.txt": status})
        with pytest.raises(LiveError, match=f"robots.txt: the server answers {status}") as error:
            site.sitemaps()
        assert error.value.is_temporary
        assert {*site.server.paths} == {"/robots.txt"}

    def test_robots_txt_that_leads_to_another_server_names_the_url_to_use(self, site: Site) -> None:
        site.answer_as(lambda request: request.send(301, Location="https://docs.example.org/robots.txt"))
        with pytest.raises(LiveError, match=r"; use the URL of the site there: https://docs.example.org/a/$") as error:
            site.sitemaps("a/")
        assert not error.value.is_temporary
        assert site.server.paths == ["/robots.txt"]

    def test_robots_txt_that_leads_nowhere_counts_as_missing(self, site: Site) -> None:
        def answer(request: Request) -> None:
            is_robots = request.path == "/robots.txt"
            request.send(301 if is_robots else 200, urlset(), **({"Location": "/robots.txt"} if is_robots else {}))

        site.answer_as(answer)
        assert [*site.sitemaps().sitemaps] == ["sitemap.xml"]


class TestPages:
    def test_the_head_of_each_listed_page_is_kept(self, site: Site) -> None:
        page = b"<!doctype html><head><title>A</title></head><body>much text</body>"
        site.pages({"a/index.html": page, "b.html": page, "index.html": page}, "", "a/", "b", "b.html", "a")
        head = page.partition(b"</head>")[0]
        stored = {path: content for path, content in site.stored().items() if path.endswith(".html")}
        assert stored == {"index.html": head, "a/index.html": head, "b.html": head}
        assert {*site.server.paths} == {"/", "/a/", "/b", "/b.html", "/a"}

    def test_the_answers_are_kept_by_url(self, site: Site) -> None:
        def answer(request: Request) -> None:
            headers = {"X_Robots_Tag": "noindex", "Age": "7"} if request.path == "/a" else {"Location": "/a"}
            request.send({"/a": 200, "/b": 301}.get(request.path, 410), b"", Content_Type="text/html", **headers)

        site.answer({"sitemap.xml": urlset(*(f"{site.url}{name}" for name in "abc"))})
        found = site.sitemaps()
        site.answer_as(answer)
        served = {url.removeprefix(site.url): each for url, each in fetch_pages(found, site.asked).served.items()}
        assert served == {
            "sitemap.xml": Served(200),
            "a": Served(200, robots="noindex", age="7"),
            "b": Served(301, target=f"{site.url}a"),
            "c": Served(410),
        }

    def test_neither_what_is_blocked_nor_what_is_elsewhere_is_asked_for(self, site: Site) -> None:
        with Server.running(lambda request: request.send()) as other:
            locs = [f"{other.url}docs/a/", *(f"{site.url}{path}" for path in ("a/", "docs/a/", "docs/b/"))]
            site.answer({"robots.txt": b"User-agent: *\nDisallow: /docs/a/\n", "docs/sitemap.xml": urlset(*locs)})
            found = fetch_pages(site.sitemaps("docs/"), site.asked)
            assert other.requests == []
        assert site.server.paths == ["/robots.txt", "/docs/sitemap.xml", "/docs/b/"]
        assert [*found.served] == [f"{site.url}docs/sitemap.xml", f"{site.url}docs/b/"]

    def test_translations_are_asked_for_too(self, site: Site) -> None:
        urls = {"de": f"{site.url}de/", "fr": "https://fr.example.org/"}
        links = (f'<xhtml:link rel="alternate" hreflang="{code}" href="{url}"/>' for code, url in urls.items())
        entry = f"<url><loc>{site.url}</loc>{''.join(links)}</url>"
        names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
        site.answer({"sitemap.xml": f"<urlset {names}>{entry}</urlset>".encode(), "index.html": b""})
        fetch_pages(site.sitemaps(), site.asked)
        assert {*site.server.paths} == {"/robots.txt", "/sitemap.xml", "/", "/de/"}

    @pytest.mark.parametrize(("most", "asked"), [(0, ""), (1, "a"), (3, "abc"), (None, "abc")])
    def test_a_limit_leaves_the_rest_out(self, site: Site, most: int | None, asked: str) -> None:
        found = site.pages({}, "a", "b", "c", most=most)
        assert sorted(site.server.paths) == [f"/{name}" for name in asked]
        assert {*found.served} == {f"{site.url}{name}" for name in ("sitemap.xml", *asked)}
        assert (found.asked, found.not_asked) == (len(asked), {f"{site.url}{name}" for name in "abc"[len(asked) :]})

    @pytest.mark.parametrize("loc", ["..%2f..%2fbeside", "%2e%2e%2fbeside", "a%2f..%2f..%2fbeside", "%5cbeside", "%00"])
    def test_nothing_is_written_outside_the_folder(self, site: Site, loc: str) -> None:
        site.answer({"sitemap.xml": urlset(f"{site.url}{loc}")})
        found = site.sitemaps()
        site.answer_as(lambda request: request.send(200, b"<p>", Content_Type="text/html"))
        assert [each.status for each in fetch_pages(found, site.asked).served.values()] == [200, 200]
        assert [*site.stored()] == ["sitemap.xml"]
        assert [path.name for path in site.folder.parent.iterdir()] == ["live"]

    @pytest.mark.parametrize(
        ("kind", "content", "name"),
        [
            ("text/html; charset=utf-8", b"<p>", "a.html"),
            ("TEXT/HTML", b"<p>", "a.html"),
            ("application/xhtml+xml", b"<p>", "a.html"),
            ("", b" <p>", "a.html"),
            ("", b"%PDF", "a"),
            ("application/pdf", b"<p>", "a"),
        ],
    )
    def test_only_pages_have_a_head(self, site: Site, kind: str, content: bytes, name: str) -> None:
        site.answer({"sitemap.xml": urlset(f"{site.url}a")})
        found = site.sitemaps()
        site.answer_as(lambda request: request.send(200, content, **({"Content_Type": kind} if kind else {})))
        fetch_pages(found, site.asked)
        assert site.stored()[name] == (content if name == "a.html" else b"")

    def test_a_large_page_is_cut(self, site: Site) -> None:
        page = b"<title>A</title>" + b"<p>" * 1_000_000
        found = site.pages({"a.html": page}, "a")
        assert found.served[f"{site.url}a"] == Served(200)
        assert len(site.stored()["a.html"]) <= 1 << 20

    def test_a_page_that_may_redirect_by_a_script_is_kept_whole(self, site: Site) -> None:
        page = b'<meta http-equiv="refresh" content="0; url=b"><body><script>location = "b"</script></body>'
        site.pages({"a.html": page}, "a")
        assert site.stored()["a.html"] == page

    def test_files_that_the_disk_cannot_have_are_left_out(self, site: Site) -> None:
        found = site.pages(
            {"a": b"", f"{'b' * 300}": b"", "a/b.html": b"", "c.html": b"<p>"}, "a", "b" * 300, "a/b", "c"
        )
        assert {each.status for each in found.served.values()} == {200}
        assert {*site.stored()} >= {"sitemap.xml", "c.html"}

    def test_a_full_disk_is_an_error(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(Path, "mkdir", fail)
        site.answer({"sitemap.xml": urlset()})
        with pytest.raises(OSError, match="No space"):
            site.sitemaps()
