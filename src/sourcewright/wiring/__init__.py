"""Wiring: builds the application from the settings. The only package that imports all others."""

import logging
import sys
import time

from sourcewright.base.text.redaction import Masker
from sourcewright.settings import Settings
from sourcewright.wiring.application import Application
from sourcewright.wiring.machine import Machine
from sourcewright.wiring.repeated_messages import RepeatedMessages

__all__ = ["Application", "Machine", "build"]


def build(settings: Settings, machine: Machine | None = None) -> Application:
    """Build the application; files and connections are opened on first use."""
    _configure_logging(settings)
    return Application(settings, machine or Machine())


def _configure_logging(settings: Settings) -> None:
    """Log to stderr, because stdout carries the protocol, with secrets masked."""
    mask = Masker(settings.secrets())

    class MaskingFormatter(logging.Formatter):
        """Masks secrets, and escapes control characters that a terminal would interpret."""

        def format(self, record: logging.LogRecord) -> str:
            text = mask(super().format(record))
            return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(MaskingFormatter("sourcewright: %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(RepeatedMessages(time.monotonic))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
