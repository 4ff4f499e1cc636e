"""Settings of the base folders (home and XDG), and default folders derived from them."""

import os
from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.layers import home_folder
from sourcewright.settings.table import Values, setting

APP_FOLDER = "sourcewright"
"""The name of our folder inside each XDG folder."""

SANDBOX_FOLDER = f"{APP_FOLDER}/sandbox"
"""The folder that is used instead of it in a sandbox."""

LIBRARY = "papers"
_RECORDS = ".metadata"
"""The subfolder of a library in which `stores/papers` keeps each paper's record."""


def app_folder(values: Values) -> str:
    """Our folder inside each XDG folder; what a sandbox invents stays away from real data."""
    return SANDBOX_FOLDER if values["sandbox_url"] else APP_FOLDER


def local_or_data_folder(name: str, *, cwd: Path, data_home: Path) -> Path:
    """A folder in the working directory, or in the data folder if that is `/` or not writable.

    Some desktop clients start servers in `/`.
    """
    if cwd == Path(cwd.anchor) or not os.access(cwd, os.W_OK):
        return data_home / APP_FOLDER / name
    return cwd / name


def library_folder(*, cwd: Path, data_home: Path) -> Path:
    """The user's one library, unless the working directory already has one of its own.

    The provenance log is per user: with a library per folder, it would name files that
    `log verify` cannot find from any other folder.
    """
    local = cwd / LIBRARY
    # A folder of that name without records is not a library.
    if cwd != Path(cwd.anchor) and (local / _RECORDS).is_dir() and os.access(local, os.W_OK):
        return local
    return data_home / APP_FOLDER / LIBRARY


class FolderSettings:
    """Base folders for configuration, data, state and cache."""

    _group = "Folders"

    home: Path = setting(
        "HOME",
        kind=kinds.FOLDER,
        derive=lambda _values: home_folder(),
        default_words="the account's home folder",
        in_file=False,
        help="What `~` stands for in other settings, and the parent of the XDG folders that are not set.",
    )
    xdg_config_home: Path = setting(
        "XDG_CONFIG_HOME",
        kind=kinds.FOLDER,
        derive=lambda values: values["home"] / ".config",
        default_words="~/.config",
        in_file=False,
        help="The config file is `sourcewright/config.toml` in this folder.",
    )
    xdg_data_home: Path = setting(
        "XDG_DATA_HOME",
        kind=kinds.FOLDER,
        derive=lambda values: values["home"] / ".local" / "share",
        default_words="~/.local/share",
        in_file=False,
        help="The library is `sourcewright/papers` in this folder. Downloads go to `sourcewright/downloads` in it if the server is started in a folder that is not writable.",
    )
    xdg_state_home: Path = setting(
        "XDG_STATE_HOME",
        kind=kinds.FOLDER,
        derive=lambda values: values["home"] / ".local" / "state",
        default_words="~/.local/state",
        in_file=False,
        help="The logs and the shared rate limit ledger are in `sourcewright` in this folder.",
    )
    xdg_cache_home: Path = setting(
        "XDG_CACHE_HOME",
        kind=kinds.FOLDER,
        derive=lambda values: values["home"] / ".cache",
        default_words="~/.cache",
        in_file=False,
        help="The cache is in `sourcewright` in this folder.",
    )
