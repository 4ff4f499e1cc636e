"""Settings of terminal output: log level and colours."""

from types import MappingProxyType

from sourcewright.settings import kinds
from sourcewright.settings.table import Values, setting

_LOG_LEVEL = "info"
_FILTER_LEVELS = MappingProxyType(
    {
        **dict.fromkeys(("off", "0"), "critical"),  # no message has this level
        **dict.fromkeys(("error", "1"), "error"),
        **dict.fromkeys(("warn", "2"), "warn"),
        **dict.fromkeys(("info", "3"), "info"),
        **dict.fromkeys(("debug", "4", "trace", "5", ""), "debug"),
    }
)
"""The levels of a filter of `tracing` (Rust), by name and by number, and ours for each."""
_OWN_TARGETS = ("sourcewright", "doiget", "doiget_cli", "doiget_core", "doiget_mcp")


def _filtered_level(values: Values) -> str:
    """The level that a filter sets for this program, or else for every program.

    What cannot be read has no effect, nor have directives for other programs, for a module or for
    a span: the variable is often set for all programs of a client, with their own parts.
    """
    levels: dict[str, str] = {}
    for directive in (values["rust_log"] or "").lower().replace(" ", "").split(","):
        target, _, level = directive.partition("=")
        if target in _FILTER_LEVELS and not level:
            target, level = "", target
        if level in _FILTER_LEVELS and directive:
            levels[target] = _FILTER_LEVELS[level]
    own = [levels[one] for one in _OWN_TARGETS if one in levels]
    return own[0] if own else levels.get("", _LOG_LEVEL)


class OutputSettings:
    """Log level on standard error, and whether output is coloured."""

    _group = "Output"

    rust_log: str | None = setting(
        "RUST_LOG",
        kind=kinds.Kind("filter, such as debug or sourcewright=debug", str),
        in_file=False,
        help="The log level for clients that were set up for doiget: off, error, warn, info, debug or trace, which may be meant for one program (`warn,doiget=debug`). What is meant for other programs has no effect, and LOG_LEVEL overrides it.",
    )
    log_level: str = setting(
        "LOG_LEVEL",
        kind=kinds.one_of("debug", "info", "warn", "warning", "error"),
        derive=_filtered_level,
        default_words=_LOG_LEVEL,
        help="Minimum level of the messages on standard error.",
    )
    no_color: bool = setting(
        "NO_COLOR",
        kind=kinds.PRESENCE,
        default=False,
        default_words="not set",
        help="If set to any value, output is never coloured, whatever the other colour settings are.",
    )
    force_color: bool = setting(
        "FORCE_COLOR",
        kind=kinds.NOT_ZERO,
        default=False,
        default_words="not set",
        help="If set to any value except 0, output is coloured even if it is not a terminal.",
    )
    clicolor: bool = setting(
        "CLICOLOR",
        kind=kinds.NOT_ZERO,
        default=True,
        default_words="not set",
        help="If set to 0, output is not coloured.",
    )
    term: str = setting(
        "TERM",
        kind=kinds.TEXT,
        default="",
        default_words="not set",
        in_file=False,
        help="The terminal type; output is not coloured if it is `dumb`.",
    )

    @property
    def colour(self) -> bool | None:
        """Whether to use colours; None means only on streams that are a terminal."""
        if self.no_color:
            return False
        if self.force_color:
            return True
        return None if self.clicolor and self.term != "dumb" else False
