"""Settings of the toolsets: which tools the server offers."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting

TOOLSETS = (
    "papers",
    "downloads",
    "web",
    "reading",
    "scholar",
    "domains",
    "trust",
    "sessions",
    "team",
)

_TOOLS = "Tools"


class ToolSettings:
    """Which toolsets are enabled."""

    toolsets: tuple[str, ...] = setting(
        "TOOLSETS",
        kind=kinds.some_of(*TOOLSETS),
        group=_TOOLS,
        default=TOOLSETS,
        help=f"Which groups of tools are offered: {', '.join(TOOLSETS)}.",
    )
