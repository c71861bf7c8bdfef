"""Every task of the project, each in its own environment: ``python -m nox --list``."""

from __future__ import annotations

import os
import shutil
import tarfile
import venv
from itertools import chain
from pathlib import Path

import nox
from packaging.requirements import Requirement

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["tests", "lint", "types"]
nox.options.default_venv_backend = "virtualenv"

PROJECT = nox.project.load_toml("pyproject.toml")
HOSTS = {
    "mkdocs": [
        "mkdocs>=1.6,<2",
        "mike>=2.1",
        "mkdocs-literate-nav",
        "mkdocs-macros-plugin>=1.3",
        "mkdocs-material>=9.5",
        "mkdocs-redirects>=1.2.2",
        "mkdocs-static-i18n>=1.2",
        "mkdocstrings-python",
        "properdocs-theme-mkdocs",  # some of the others install ProperDocs, and mike then builds with it
        "zensical>=0.0.73",
    ],
    "properdocs": ["properdocs", "properdocs-theme-mkdocs"],
    "sphinx": ["sphinx>=7.2", "myst-parser>=4", "furo"],
}
TOOLS = ["atheris", "pip>=25.3", "uv>=0.9", *PROJECT["build-system"]["requires"]]  # beside the groups


def install(session: nox.Session, *packages: str, file: str | None = "main") -> None:
    """Install packages in the versions that a file in constraints/ pins; without a file in the newest versions.

    The file counts twice: pip builds packages in environments of their own, which ``-c`` does not reach.
    """
    if file is None:
        session.install(*packages)
        return
    pins = f"constraints/{file}.txt"
    session.install("pip>=25.3", "-c", "constraints/main.txt")  # that of an older nox has no --build-constraint
    session.install(*packages, "-c", pins, "--build-constraint", pins)


def group(name: str) -> list[str]:
    """The requirements of one dependency group."""
    return nox.project.dependency_groups(PROJECT, name)


def oldest() -> list[str]:
    """Every dependency of the project and its extras, pinned to the oldest supported version."""
    project = PROJECT["project"]
    pinned = []
    for each in chain(project["dependencies"], *project["optional-dependencies"].values()):
        requirement = Requirement(each)
        versions = [part.version for part in requirement.specifier if part.operator == ">="]
        if not versions:
            raise ValueError(f"pyproject.toml: {each!r} has no oldest version; write {requirement.name}>=…")
        pinned.append(f"{requirement.name}=={versions[0]}")
    return pinned


def locked() -> dict[str, list[str]]:
    """All that is installed with each file in constraints/. One file cannot hold all: they disagree about Sphinx."""
    groups = [name for name in PROJECT["dependency-groups"] if name != "compat"]
    needed = [*PROJECT["project"]["dependencies"], *chain(*PROJECT["project"]["optional-dependencies"].values())]
    return {
        "main": [*needed, *chain(*map(group, groups)), *chain(*HOSTS.values()), *TOOLS],
        "compat": [*needed, *group("compat"), "setuptools"],  # which builds mkautodoc and feedgen: they have no wheels
        "minimums": [*needed, *group("tests"), *oldest()],
    }


@nox.session
@nox.parametrize("host", list(HOSTS))
def samples(session: nox.Session, host: str) -> None:
    """Build every sample site with only its host installed, and compare what was written with ``expected/``."""
    install(session, ".", *HOSTS[host])
    session.run("python", "sample_sites/build.py", "--host", host, *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests, in parallel."""
    install(session, "-e", ".", *group("tests"))
    # Tests start hundreds of Python processes, which are slow if each compiles our modules again.
    session.run("pytest", "-n", "auto", "--dist", "worksteal", *session.posargs, env={"PYTHONDONTWRITEBYTECODE": ""})


@nox.session
def compat(session: nox.Session) -> None:
    """Run the tests with rarely used tools; the other sessions skip these tests."""
    install(session, "-e", ".", *group("compat"), file="compat")
    leave = "-Wignore::pytest.PytestUnraisableExceptionWarning"  # some of them leave folders and event loops open
    session.run("pytest", "-n", "auto", leave, "tests/hosts/compat", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Open built sites and the manual in Chromium, and try what needs a reader's browser."""
    if not shutil.which("chromedriver"):
        session.error("this session needs Chromium and its driver: in Debian, apt-get install chromium chromium-driver")
    install(session, "-e", ".", *group("browser"))
    session.run("pytest", "-m", "browser", "tests/browser", *session.posargs, env={"no_proxy": "localhost"})


@nox.session
def coverage(session: nox.Session) -> None:
    """Run the tests with branch coverage, which takes half as long again."""
    install(session, "-e", ".", *group("tests"))
    session.run("pytest", "-n", "auto", "--cov", "--cov-report=term", "--cov-fail-under=95", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Search thousands of random histories and inputs for errors; ``-- 20000`` tries that many of each.

    Then atheris fuzzes every reader for a minute, guided by the lines that an input reaches.
    """
    install(session, "-e", ".", *group("tests"))
    number = session.posargs[0] if session.posargs else "3000"
    for where in (["tests/git/test_random.py"], ["-m", "hypothesis and not moving and not clock"]):
        session.run("pytest", "-n", "auto", *where, env={"SITEMAP_FUZZ": number})
    install(session, "atheris")
    session.run("python", "tests/fuzz.py", "60")


@nox.session
def hostile(session: nox.Session) -> None:
    """Measure time, make real builds fail at every system call, kill them, and run two at once: half an hour.

    ``-- clock`` only measures, ``-- "faults merge"`` only makes one command fail.
    """
    install(session, "-e", ".", *group("tests"))
    runs = [
        "clock",
        "faults publish merge dates mkdocs sphinx",
        "kills publish merge mkdocs sphinx --times 200",
        "pairs publish merge --times 100",
        "pairs mkdocs sphinx --times 40",
    ]
    for run in session.posargs or runs:
        measures = run == "clock"
        session.run(
            *(["pytest", "-m", "clock"] if measures else ["python", "-m", "tests.hostile.crashes", *run.split()])
        )


@nox.session
def mutants(session: nox.Session) -> None:
    """Make small changes to modules, and show which changes no test catches: ``-- sitemap_plugins.pages.omit``."""
    install(session, "-e", ".", *group("tests"))
    session.run("python", "tests/mutants.py", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check the style and the direction of imports."""
    install(session, "-e", ".", *group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types."""
    install(session, "-e", ".", *group("types"))
    session.run("mypy")


@nox.session
def reference(session: nox.Session) -> None:
    """Write the pages of the manual that are generated from the source, and the addresses of the project."""
    install(session, "-e", ".")
    session.run("python", "docs/generate.py")
    session.run("python", "docs/project.py")


@nox.session
def pictures(session: nox.Session) -> None:
    """Write the pictures of the manual from real runs."""
    install(session, "-e", ".", *group("docs"))
    session.run("python", "docs/pictures.py")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the manual as a site and check its links: with MkDocs and Material, or ``-- sphinx`` with Sphinx."""
    install(session, "-e", ".", *group("docs"))
    if "sphinx" in session.posargs:
        session.run("sphinx-build", "-W", "--keep-going", "-b", "dirhtml", "docs", "build/manual/sphinx")
    else:
        session.run("mkdocs", "build", "--strict")


@nox.session
def minimums(session: nox.Session) -> None:
    """Run the tests with the oldest supported versions."""
    install(session, "-e", ".", *group("tests"), *oldest(), file="minimums")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def latest(session: nox.Session) -> None:
    """Run the tests with the newest versions, and compare our tables with data that changes outside the project."""
    install(session, "-e", ".", *group("tests"), file=None)
    session.run("pytest", "-n", "auto", "-m", "not clock and not browser", *session.posargs)


@nox.session
def lock(session: nox.Session) -> None:
    """Write constraints/: a new requirement gets its newest version, the others stay; ``-- --upgrade`` renews all."""
    install(session, "uv>=0.9")
    for file, requirements in locked().items():
        source = Path(session.create_tmp()) / f"{file}.in"
        source.write_text("\n".join(requirements), encoding="utf-8")
        versions = ["--universal", "--python-version", "3.11", *session.posargs]
        header = ["--no-annotate", "--custom-compile-command", "python -m nox -s lock"]
        output = ["--quiet", "--output-file", f"constraints/{file}.txt"]
        session.run("uv", "pip", "compile", *versions, *header, *output, str(source))


@nox.session
def build(session: nox.Session) -> None:
    """Build the sdist and the wheel into dist/, check both, and build sites with the wheel and one host at a time."""
    install(session, *group("build"), *PROJECT["build-system"]["requires"])
    shutil.rmtree("dist", ignore_errors=True)
    work = Path(session.create_tmp())
    run = ["python", "-m", "build", "--no-isolation"]
    session.run(*run, "--outdir", "dist")  # the wheel from the sdist, in a temporary folder
    session.run(*run, "--wheel", "--outdir", str(work / "direct"))
    (sdist,), (wheel,) = Path("dist").glob("*.tar.gz"), Path("dist").glob("*.whl")
    if wheel.read_bytes() != (work / "direct" / wheel.name).read_bytes():
        session.error("the wheel from the sdist differs from the wheel from this folder")
    strays = files_of(sdist) - tracked_files(session) - {"PKG-INFO"}
    if strays:
        session.error(f"git does not track these files, but the sdist has them: {', '.join(sorted(strays))}")
    session.run("twine", "check", "--strict", str(sdist), str(wheel))
    session.run("check-wheel-contents", str(wheel))
    for host, packages in {"none": [], "mkdocs": HOSTS["mkdocs"][:1], "sphinx": HOSTS["sphinx"][:1]}.items():
        environment = work / host
        venv.create(environment, clear=True, with_pip=True)
        python = str(environment / ("Scripts" if os.name == "nt" else "bin") / "python")
        pip = [python, "-m", "pip", "install", "--quiet", "-c", "constraints/main.txt"]  # it may know no more options
        session.run(*pip, str(wheel), *packages, external=True)
        session.run(python, "tests/installed.py", host, external=True)


def files_of(sdist: Path) -> set[str]:
    """The files in an sdist, relative to its only folder."""
    with tarfile.open(sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def tracked_files(session: nox.Session) -> set[str]:
    """The files of the project that git tracks."""
    listed = session.run("git", "ls-files", "-z", external=True, silent=True, log=False)
    return set(listed.split("\0"))


@nox.session
def bench(session: nox.Session) -> None:
    """Measure what the plugin costs builds of generated sites with each host."""
    install(session, ".", *HOSTS["mkdocs"], *HOSTS["sphinx"])
    session.run("python", "benchmarks/build_cost.py", *session.posargs)
