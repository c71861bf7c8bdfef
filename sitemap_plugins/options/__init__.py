"""All options: their types, defaults and bounds, and the code that reads them from the configuration."""

from sitemap_plugins.options.convert import BOOLEANS, Mistake, convert_fields
from sitemap_plugins.options.groups import SIZE_LIMIT, URL_LIMIT, Feeds, Limits, News, PageGroup, Section, is_in
from sitemap_plugins.options.settings import (
    Engine,
    Indent,
    LastModSource,
    PageRule,
    PageValues,
    Settings,
    facts_of_options,
    read_settings,
)
from sitemap_plugins.options.types import (
    Alternates,
    Filename,
    Globs,
    Hook,
    LanguageSite,
    NewsLanguage,
    SourcePattern,
    XDefault,
    parse_code,
    read_pairs,
)

__all__ = [
    "BOOLEANS",
    "SIZE_LIMIT",
    "URL_LIMIT",
    "Alternates",
    "Engine",
    "Feeds",
    "Filename",
    "Globs",
    "Hook",
    "Indent",
    "LanguageSite",
    "LastModSource",
    "Limits",
    "Mistake",
    "News",
    "NewsLanguage",
    "PageGroup",
    "PageRule",
    "PageValues",
    "Section",
    "Settings",
    "SourcePattern",
    "XDefault",
    "convert_fields",
    "facts_of_options",
    "is_in",
    "parse_code",
    "read_pairs",
    "read_settings",
]
