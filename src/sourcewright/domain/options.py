"""A setting of one provider, declared next to the provider."""

from dataclasses import dataclass
from typing import Literal

OptionKind = Literal[
    "text", "flag", "email", "secret", "login", "headers", "url", "origins", "agreement"
]
"""An agreement is given by the value 1 only, in the environment only, and only together with the
other required options of the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One setting: its names, meaning and default."""

    name: str
    """Its name in the provider's code."""
    env: tuple[str, ...]
    """Its names in the environment and the config file; the first that is set wins."""
    help: str
    kind: OptionKind = "text"
    default: str | bool | None = None
    contact: bool = False
    """Whether it falls back to the general contact address."""
    required: bool = False
    """Without it the source is not configured and not used."""
