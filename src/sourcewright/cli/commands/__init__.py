"""The commands, one module each, and the sections in which `sourcewright --help` lists them."""

from collections.abc import Mapping
from types import MappingProxyType

SECTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Check references": ("audit", "verify", "resolve", "retractions", "cite"),
        "Find and get papers": (
            *("papers", "cites", "graph", "fetch", "batch", "download", "metadata"),
        ),
        "Your library": ("library", "info", "bib", "csl", "ris"),
        "Search and read the web": ("search", "research", "answer", "read", "archive", "lenses"),
        "Primary records": (
            *("filings", "cases", "trials", "economy", "patents", "places", "brand"),
        ),
        "Sessions and findings": (
            *("sessions", "export", "memory", "workspace", "consent", "analytics", "data"),
        ),
        "MCP server": ("serve", "setup", "keys", "redis", "tool"),
        "This installation": (
            *("doctor", "config", "capabilities", "storage", "log", "completion", "demo", "world"),
        ),
    }
)
"""Names of commands by section; a command that is in none is listed last."""
