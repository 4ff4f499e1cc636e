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


class ToolSettings:
    """Which toolsets are enabled."""

    _group = "Tools"

    toolsets: tuple[str, ...] = setting(
        "TOOLSETS",
        kind=kinds.some_of(*TOOLSETS),
        default=TOOLSETS,
        help=f"Which groups of tools are enabled: {', '.join(TOOLSETS)}.",
    )
    connector_tools: bool = setting(
        "SOURCEWRIGHT_CONNECTOR_TOOLS",
        kind=kinds.FLAG,
        default=False,
        lists_tools=True,
        help="Whether to list search and fetch, the two tools that ChatGPT's connectors ask for.",
    )
    output_schemas: bool = setting(
        "SOURCEWRIGHT_OUTPUT_SCHEMAS",
        kind=kinds.FLAG,
        default=True,
        help="Whether the list of tools has the schemas of their answers, a third of its size.",
    )
    typed_schemas: bool = setting(
        "SOURCEWRIGHT_TYPED_SCHEMAS",
        kind=kinds.FLAG,
        default=False,
        help="Whether the schemas of answers in the list of tools have types on all levels, for clients that generate code; the list is then three times as long.",
    )
