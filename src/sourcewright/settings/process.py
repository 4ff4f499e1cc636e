"""The environment of this process and of those it starts."""

import os
from collections.abc import Mapping
from pathlib import Path

from sourcewright.settings.layers import config_path


def own_config_path() -> Path:
    """Where this process looks for its config file."""
    return config_path(os.environ)  # noqa: TID251 -- the settings are its only readers


def environment_with(changes: Mapping[str, str]) -> dict[str, str]:
    """This process's environment for one that it starts, with some changes."""
    return {**os.environ, **changes}  # noqa: TID251 -- the settings are its only readers


def sandbox_overrides(url: str, folder: str) -> dict[str, str]:
    """Settings under which nothing invented can reach a user's real state."""
    place = Path(folder)
    return {
        "SOURCEWRIGHT_SANDBOX_URL": url,
        "XDG_STATE_HOME": str(place / "state"),
        "XDG_DATA_HOME": str(place / "data"),
        "XDG_CACHE_HOME": str(place / "cache"),
        "CACHE_DIR": str(place / "cache" / "sourcewright"),
        "DOIGET_STORE_ROOT": str(place / "papers"),
        "DOIGET_LOG_PATH": str(place / "state" / "provenance.jsonl"),
        "AUDIT_OUTPUT_PATH": str(place / "state" / "audit.jsonl"),
        # Reaches the invented Unpaywall alone, which like the real one insists on an address.
        "CONTACT_EMAIL": "reader@sandbox.sourcewright",
    }
