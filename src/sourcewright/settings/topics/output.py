"""Settings of terminal output: log level and colours."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting


class OutputSettings:
    """Log level on standard error, and whether output is coloured."""

    _group = "Output"

    log_level: str = setting(
        "LOG_LEVEL",
        kind=kinds.one_of("debug", "info", "warn", "warning", "error"),
        default="info",
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
