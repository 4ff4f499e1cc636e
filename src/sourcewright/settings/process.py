"""The environment of this process and of those it starts."""

import os
from collections.abc import Mapping
from pathlib import Path

from sourcewright.settings.layers import config_path, home_folder
from sourcewright.settings.unused import unused_variables


def own_config_path() -> Path:
    """Where this process looks for its config file."""
    return config_path(os.environ)  # noqa: TID251 -- the settings are its only readers


def own_home() -> Path:
    """The home folder of the user of this process."""
    home = os.environ.get("HOME")  # noqa: TID251 -- the settings are its only readers
    return Path(home) if home else home_folder()


def own_unused_variables() -> dict[str, str]:
    """The variables of comparable servers that are set here without effect, with the reason."""
    return unused_variables(os.environ)  # noqa: TID251 -- the settings are its only readers


def environment_with(changes: Mapping[str, str]) -> dict[str, str]:
    """This process's environment for one that it starts, with some changes."""
    return {**os.environ, **changes}  # noqa: TID251 -- the settings are its only readers


def sandbox_overrides(url: str, folder: str) -> dict[str, str]:
    """Settings for a sandboxed process: every file goes into `folder`, away from real data."""
    base = Path(folder)
    return {
        "SOURCEWRIGHT_SANDBOX_URL": url,
        "XDG_STATE_HOME": str(base / "state"),
        "XDG_DATA_HOME": str(base / "data"),
        "XDG_CACHE_HOME": str(base / "cache"),
        "CACHE_DIR": str(base / "cache" / "sourcewright"),
        "DOIGET_STORE_ROOT": str(base / "papers"),
        "DOIGET_LOG_PATH": str(base / "state" / "provenance.jsonl"),
        "SOURCEWRIGHT_KEY_FILE": str(base / "data" / "sealing.key"),
        "AUDIT_OUTPUT_PATH": str(base / "state" / "audit.jsonl"),
        # Sent only to the simulated Unpaywall, which requires an address like the real one.
        "CONTACT_EMAIL": "reader@sandbox.sourcewright",
    }
