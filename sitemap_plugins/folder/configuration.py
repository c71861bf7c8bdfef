"""Reads the configuration of a project: the generator's settings, and the author's options for this plugin."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import structs

from sitemap_plugins.formats.data_reading import (
    DataError,
    Opaque,
    decode,
    read_conf_entry,
    read_toml,
    read_yaml,
    type_of,
)
from sitemap_plugins.reading import ABSENT, CONFIGURATION, read_file
from sitemap_plugins.session.host import Host, HostOptions, read_options
from sitemap_plugins.session.includes import INCLUDE, SNIPPETS, TABLES
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import short_repr

_GENERATOR_FILES: Final = ("zensical.toml", "properdocs.yml", "properdocs.yaml", "mkdocs.yml", "mkdocs.yaml")
"""The configuration of Zensical, ProperDocs and MkDocs. The first one that is there counts, as in these tools."""

CONF_FOLDERS: Final = (".", "docs", "doc", "docs/source", "source", "doc/source")
"""Where projects have the conf.py of Sphinx."""

_MACROS: Final = "macros"
_TABLES: Final = "zensical.extensions.table_reader"
_PLUGIN: Final = ("sitemap", "/sitemap")  # with the slash, MkDocs ignores plugins of the theme
_LONGEST_CHAIN: Final = 20

FOLDER: Final = Host(
    url_option="--base-url or the option base_url",
    generated_pages=None,
    lastmod=("front_matter", "git", "page"),
    lacks={
        "canonical_version_url": "the plugins for MkDocs and Sphinx; run sitemap-plugins retire",
        "expose": "the plugins for MkDocs and Sphinx, and in the Markdown extension for Zensical",
    },
)
ZENSICAL: Final = structs.replace(FOLDER, lacks={})
"""The Markdown extension of Zensical, which only shows dates; the command publishes."""


class ConfigurationError(ExplainedError):
    """A configuration that cannot be used. The message names the file, the mistake and the fix."""


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """The configuration of a project.

    ``file`` is the absolute path of the generator's configuration; None if there is none that we read. ``root`` is the
    absolute folder that paths are relative to. ``project`` has the generator's own settings, by their names at the top
    of mkdocs.yml. ``options`` are the author's options for this plugin, not yet validated, and ``options_from`` is
    their place ("zensical.toml, [project.plugins.sitemap]"), empty if there are none.
    """

    file: str | None = None
    root: str
    project: Mapping[str, object] = {}
    options: Mapping[str, object] = {}
    options_from: str = ""

    @property
    def name(self) -> str:
        """The name of the generator's file, for messages."""
        return os.path.basename(self.file or "")

    @property
    def tool(self) -> Literal["zensical", "mkdocs", ""]:
        """The generator that the file is for. Zensical also reads mkdocs.yml."""
        if not self.file:
            return ""
        return "zensical" if self.name.endswith(".toml") else "mkdocs"

    def path(self, setting: str, default: str) -> str:
        """The absolute path in a setting such as docs_dir. Raises `ConfigurationError`."""
        value = self.project.get(setting)
        if value is None:
            value = default
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise ConfigurationError(f"{self.name}: {setting} must be the path of a folder, not {type_of(value)}")
        return os.path.normpath(os.path.join(self.root, value))

    def shown(self, path: str) -> str:
        """An absolute path for messages: relative to ``root``, if it is inside."""
        path, inside = os.path.normpath(path), os.path.join(self.root, "")
        if path.startswith(inside):
            return path[len(inside) :].replace(os.sep, "/")
        return "the folder of the project" if path == self.root else path

    def plugins(self, name: str) -> list[Mapping[str, object]]:
        """The options of each enabled plugin with this name, written with or without the prefix of its theme."""
        names = (name, f"material/{name}", f"materialx/{name}")
        found = [options for each, options in _plugins_of(self.project) or () if each in names]
        mappings = [options if isinstance(options, Mapping) else {} for options in found]
        return [options for options in mappings if options.get("enabled", True) is not False]

    def relative(self, value: Opaque) -> str | None:
        """The absolute path for ``!relative $config_dir/…`` or ``!relative $docs_dir/…``.

        None for other values, and for ``!relative`` alone, which means the folder of the page. Raises
        `ConfigurationError`.
        """
        prefix, _, path = value.text.partition("/")
        if value.tag != "!relative" or prefix not in {"$config_dir", "$docs_dir"}:
            return None
        return os.path.join(self.root if prefix == "$config_dir" else self.path("docs_dir", "docs"), path)


def locate_project(path: str) -> tuple[str, Sequence[str]]:
    """The folder of a project, and the names that its generator's file may have.

    ``path`` is the folder, or that file if the folder has several.
    """
    root = os.path.abspath(path)
    folder, name = os.path.split(root)
    return (folder, [name]) if os.path.isfile(root) else (root, _GENERATOR_FILES)


def read_configuration(path: str) -> Configuration:
    """Read the configuration files of the project that `locate_project` finds.

    As in Zensical, zensical.toml takes precedence over mkdocs.yml. Options may be in any of the files, but two files
    with different options are an error. Of a conf.py, which is not run, only ``ignored_findings`` is read, unless one
    of them has this option, and ``exclude`` if there is no other generator's file. Raises `ConfigurationError`.
    """
    root, names = locate_project(path)
    for name in names:
        if not re.fullmatch(r".+\.ya?ml|zensical.*\.toml", name):
            message = f"{name} is not a file of MkDocs, ProperDocs or Zensical: give the project's folder"
            raise ConfigurationError(message)
    zensical_file = names[0] if names[0].endswith(".toml") else ""
    toml = {
        name: table
        for name in ("sitemap.toml", "pyproject.toml", *names)
        if name.endswith(".toml") and (table := read_data(os.path.join(root, name), name, read_toml)) is not None
    }
    found = ((each, _read_mkdocs(os.path.join(root, each), each)) for each in names if each != zensical_file)
    mkdocs, yaml = next(((each, settings) for each, settings in found if settings is not None), ("", {}))
    zensical, prefix = _project_of(toml.get(zensical_file, {}), zensical_file)
    tool = toml.get("pyproject.toml", {}).get("tool")
    if isinstance(toml.get("sitemap.toml", {}).get("sitemap"), Mapping):
        raise ConfigurationError("sitemap.toml: write the options at the top level, without [sitemap]")
    place = "pyproject.toml, [tool.sitemap-plugins]"
    places = [
        ("sitemap.toml", toml.get("sitemap.toml", {})),
        (place, _options(tool.get("sitemap-plugins") if isinstance(tool, Mapping) else None, place)),
        *_of_plugins(zensical, zensical_file, f"[{prefix}plugins.sitemap]"),
        *_of_plugins(yaml, mkdocs, "plugins: sitemap"),
    ]
    given = [(place, options) for place, options in places if options] or [("", {})]
    options_from, options = given[0]
    for other, others in given[1:]:
        if others != options:
            raise ConfigurationError(
                f"{options_from} and {other} have different options for sitemap-plugins; keep only one of them"
            )
    name = zensical_file if zensical_file in toml else mkdocs
    conf, of_conf = _options_in_conf(root, ("ignored_findings",) if name else ("ignored_findings", "exclude"))
    if of_conf.keys() - options.keys():
        options = {**of_conf, **options}
        options_from = " and ".join(filter(None, (options_from, conf)))
    return Configuration(
        file=os.path.join(root, name) if name else None,
        root=root,
        project=zensical if name == zensical_file else yaml,
        options=options,
        options_from=options_from,
    )


def read_settings_of(configuration: Configuration, host: Host = FOLDER, *, base_url: str | None = None) -> HostOptions:
    """The author's options. ``base_url`` overrides the option.

    Raises `ConfigurationError`, whose message then has all mistakes, one on each line.
    """
    written = {**configuration.options, **({} if base_url is None else {"base_url": base_url})}
    options, mistakes = read_options(host, written, configuration.root)
    if mistakes:
        place = f"{configuration.options_from}: " if configuration.options_from else ""
        raise ConfigurationError("\n".join(f"{place}{mistake}" for mistake in mistakes))
    return options


def read_data(path: str, name: str, parse: Callable[[str], Any]) -> Any:
    """What ``parse`` finds in the text of a configuration file; None if there is no such file.

    ``name`` is the name of the file in messages. Raises `ConfigurationError`.
    """
    try:
        return parse(decode(read_file(path, CONFIGURATION)))
    except ABSENT:
        return None
    except OSError as error:
        raise ConfigurationError(f"{name} cannot be read: {error.strerror or error}") from None
    except DataError as error:
        raise ConfigurationError(f"{name}{f', line {error.line}' if error.line else ''}: {error}") from None
    except ValueError:  # a NUL in the path
        raise ConfigurationError(f"{name} is not the name of a file") from None


def _options_in_conf(root: str, keys: Sequence[str]) -> tuple[str, Mapping[str, object]]:
    """Those of these options that are set in the conf.py of a project, after its place, which may be empty."""
    for folder in CONF_FOLDERS:
        name = posixpath.normpath(f"{folder}/conf.py")
        if found := read_data(os.path.join(root, name), name, lambda text: _read_conf(text, keys)):
            return f"{name}, sitemap_options", found
    return "", {}


def _read_conf(text: str, keys: Sequence[str]) -> Mapping[str, object]:
    found: dict[str, object] = {}
    for key in keys:
        if "sitemap_options" not in text or key not in text:
            continue  # a file without the names need not be valid for us
        try:
            value = read_conf_entry(text, "sitemap_options", key)
        except DataError:
            if key != "exclude":  # projects compute it, and other settings of Sphinx have it in their names
                raise
            continue
        if value is not None:
            found[key] = value
    return found


def _project_of(table: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], str]:
    """The settings in the zensical.toml ``name``, with or without ``[project]``, and the prefix of table names."""
    project = table.get("project", table)
    if not isinstance(project, Mapping):
        raise ConfigurationError(f"{name}: project must be a table, [project], not {type_of(project)}")
    return project, "project." if "project" in table else ""


def _read_mkdocs(path: str, name: str, depth: int = 0) -> Mapping[str, Any] | None:
    """A mkdocs.yml with the settings that it inherits: mappings are merged, other values replaced, as in MkDocs.

    None if there is no such file. ``depth`` is the number of files that inherit from it.
    """
    values = read_data(path, name, lambda text: {} if (read := read_yaml(text, os.environ)) is None else read)
    if values is None:
        return None
    if not isinstance(values, dict):
        raise ConfigurationError(f"{name} must have settings such as site_name: …, not {type_of(values)}")
    if "INHERIT" not in values:
        return values
    parent = values.pop("INHERIT")
    if not isinstance(parent, str):
        raise ConfigurationError(f"{name}: INHERIT must be the path of a file, not {type_of(parent)}")
    if depth == _LONGEST_CHAIN:
        raise ConfigurationError(f"{name}: INHERIT leads through {_LONGEST_CHAIN} files; does one inherit itself?")
    place = os.path.normpath(os.path.join(os.path.dirname(path), parent))
    above = _read_mkdocs(place, parent, depth + 1)
    if above is None:
        raise ConfigurationError(f"{name}: there is no {parent}")
    return merge(above, values)


def merge(above: Mapping[Any, Any], own: Mapping[Any, Any], *, join_lists: bool = False) -> dict[Any, Any]:
    """Merge mappings. Other values in ``own`` replace those in ``above``, or are joined to them if both are lists."""
    merged = dict(above)
    for name, value in own.items():
        before = merged.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            merged[name] = merge(before, value, join_lists=join_lists)
        elif join_lists and isinstance(before, list) and isinstance(value, list):
            merged[name] = [*before, *value]
        else:
            merged[name] = value
    return merged


def _of_plugins(project: Mapping[str, Any], file: str, section: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    written = _plugins_of(project)
    if written is None:
        raise ConfigurationError(f"{file}: plugins must be a list or a mapping, not {type_of(project.get('plugins'))}")
    ours = [options for name, options in written if isinstance(name, str) and name in _PLUGIN]
    if len(ours) > 1:
        raise ConfigurationError(f"{file}: plugins names sitemap {len(ours)} times; keep only one of them")
    place = f"{file}, {section}"
    for options in ours:
        # MkDocs itself reads ``enabled`` for every plugin. The command runs whatever its value is.
        yield place, {name: value for name, value in _options(options, place).items() if name != "enabled"}


def _plugins_of(project: Mapping[str, Any]) -> list[tuple[Any, Any]] | None:
    """Plugins and their options, in the order of the mapping or list; None for any other value."""
    plugins = project.get("plugins")
    if isinstance(plugins, Mapping):
        return [*plugins.items()]
    if isinstance(plugins, list):
        return [pair for each in plugins for pair in (each.items() if isinstance(each, Mapping) else [(each, None)])]
    return None if plugins else []


def _options(written: object, place: str) -> Mapping[str, object]:
    if written is None:
        return {}
    if not isinstance(written, Mapping):
        raise ConfigurationError(f"{place}: options must be a mapping such as gzip: true, not {short_repr(written)}")
    return written


def enabled_extensions(configuration: Configuration) -> Mapping[str, object] | None:
    """The Markdown extensions that a project of MkDocs or Zensical enables, each with its settings, and table-reader.

    None if they are unknown: if the project names none, Zensical enables its own.
    """
    written = configuration.project.get("markdown_extensions")
    if not isinstance(written, list | Mapping):
        return None
    found: dict[str, object] = {}
    for each in written if isinstance(written, list) else [written]:
        found |= dict(_named("", each)) if isinstance(each, Mapping) else {str(each): {}}
    if tables := [*configuration.plugins(TABLES), *(each for name, each in found.items() if name == _TABLES)]:
        found[TABLES] = tables[0]
    return found


def _named(prefix: str, settings: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    """All values by their names after a prefix. In TOML, pymdownx.blocks.tab is a table in a table in a table."""
    for name, value in settings.items():
        yield f"{prefix}{name}", value
        yield from _named(f"{prefix}{name}.", value) if isinstance(value, Mapping) else ()


def base_folders(configuration: Configuration) -> list[str]:
    """The absolute folders to search first, by default the folder of the configuration.

    Snippets name them as ``base_path``, macros as ``include_dir``, and table-reader as ``data_path``. Raises
    `ConfigurationError` if a setting cannot be used.
    """
    extensions = enabled_extensions(configuration) or {}
    paths: list[object] = []
    for names in ((SNIPPETS,), INCLUDE):
        settings = next((extensions[name] for name in names if name in extensions), None)
        written = settings.get("base_path", ".") if isinstance(settings, Mapping) else "."
        paths += written if isinstance(written, list) else [written]
    macros = [*configuration.plugins(_MACROS), extensions.get(f"zensical.extensions.{_MACROS}")]
    paths += [settings.get("include_dir") for settings in macros if isinstance(settings, Mapping)]
    if isinstance(tables := extensions.get(TABLES), Mapping):
        data = f"{tables.get('data_path', '.')}"
        paths += [data, os.path.join(configuration.path("docs_dir", "docs"), data)]
    texts = (configuration.relative(path) if isinstance(path, Opaque) else path for path in paths)
    found = (os.path.normpath(os.path.join(configuration.root, text)) for text in texts if isinstance(text, str))
    return [*dict.fromkeys(found)]
