"""A setting that one provider understands, declared beside the provider."""

from dataclasses import dataclass
from typing import Literal

OptionKind = Literal[
    "text", "flag", "email", "secret", "login", "headers", "url", "origins", "agreement"
]
"""An agreement is given by exactly 1, in the environment alone, and only together with what the
source requires besides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One setting: its names, its meaning, and what stands in for it."""

    name: str
    """How the provider's own code calls it."""
    env: tuple[str, ...]
    """Its names in the environment and in the config file, the first that is set winning."""
    help: str
    kind: OptionKind = "text"
    default: str | bool | None = None
    contact: bool = False
    """Falls back to the general contact address."""
    required: bool = False
    """Without it the source is not configured and is not asked."""
