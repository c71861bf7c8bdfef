"""What every host does around the pipeline, from the options to the files and the build log."""

from sitemap_plugins.session.host import Host, HostOptions, read_options
from sitemap_plugins.session.lifecycle import BuildSession, Report, open_session
from sitemap_plugins.session.notes import LogLevel
from sitemap_plugins.session.publishing import Output, Publication

__all__ = [
    "BuildSession",
    "Host",
    "HostOptions",
    "LogLevel",
    "Output",
    "Publication",
    "Report",
    "open_session",
    "read_options",
]
