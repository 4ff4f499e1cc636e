"""Wiring: builds everything from the settings. The only package that knows all parts."""

import logging
import sys

from sourcewright.logic.text.redaction import Masker
from sourcewright.settings import Settings
from sourcewright.wiring.application import Application

__all__ = ["Application", "build"]


def build(settings: Settings) -> Application:
    """Everything, ready to be called. Nothing is opened before it is needed."""
    _configure_logging(settings)
    return Application(settings)


def _configure_logging(settings: Settings) -> None:
    """Say things on stderr, where the protocol is not, and never a secret."""
    mask = Masker(settings.secrets())

    class Masked(logging.Formatter):
        """Formats a record, without secrets and without what a terminal would obey."""

        def format(self, record: logging.LogRecord) -> str:
            told = mask(super().format(record))
            return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in told)

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Masked("sourcewright: %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
