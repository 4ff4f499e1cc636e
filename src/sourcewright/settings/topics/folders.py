"""Settings of the folders that the system gives to everything else."""

import os
from pathlib import Path

from sourcewright.settings import kinds
from sourcewright.settings.layers import home_folder
from sourcewright.settings.table import setting

OURS = "sourcewright"
"""Our own folder in each of the shared ones."""

LIBRARY = "papers"
_RECORDS = ".metadata"
"""The folder of a library in which `stores/papers` keeps each paper's record."""

_FOLDERS = "Folders"


def beside_the_work(name: str, *, cwd: Path, data_home: Path) -> Path:
    """A folder beside the work at hand; a client that starts servers in `/` gets one of our own."""
    if cwd == Path(cwd.anchor) or not os.access(cwd, os.W_OK):
        return data_home / OURS / name
    return cwd / name


def library(*, cwd: Path, data_home: Path) -> Path:
    """The user's one library, unless the working directory already has one of its own.

    The provenance log is per user, so that a library per folder would leave rows behind
    whose files no other folder can show.
    """
    beside = cwd / LIBRARY
    # Another folder of that name holds something else: ours always have their records.
    if cwd != Path(cwd.anchor) and (beside / _RECORDS).is_dir() and os.access(beside, os.W_OK):
        return beside
    return data_home / OURS / LIBRARY


class FolderSettings:
    """Where things are kept."""

    home: Path = setting(
        "HOME",
        kind=kinds.FOLDER,
        group=_FOLDERS,
        derive=lambda _values: home_folder(),
        default_words="the account's home folder",
        in_file=False,
        help="Where `~` points in other settings, and where the XDG folders are unless they are set.",
    )
    xdg_config_home: Path = setting(
        "XDG_CONFIG_HOME",
        kind=kinds.FOLDER,
        group=_FOLDERS,
        derive=lambda values: values["home"] / ".config",
        default_words="~/.config",
        in_file=False,
        help="The config file is `sourcewright/config.toml` in this folder.",
    )
    xdg_data_home: Path = setting(
        "XDG_DATA_HOME",
        kind=kinds.FOLDER,
        group=_FOLDERS,
        derive=lambda values: values["home"] / ".local" / "share",
        default_words="~/.local/share",
        in_file=False,
        help="The library is `sourcewright/papers` in this folder; downloads go to `sourcewright/downloads` in it when the server is started in a folder that it may not write to.",
    )
    xdg_state_home: Path = setting(
        "XDG_STATE_HOME",
        kind=kinds.FOLDER,
        group=_FOLDERS,
        derive=lambda values: values["home"] / ".local" / "state",
        default_words="~/.local/state",
        in_file=False,
        help="The logs and the pacing ledger are in `sourcewright` in this folder.",
    )
    xdg_cache_home: Path = setting(
        "XDG_CACHE_HOME",
        kind=kinds.FOLDER,
        group=_FOLDERS,
        derive=lambda values: values["home"] / ".cache",
        default_words="~/.cache",
        in_file=False,
        help="The cache is in `sourcewright` in this folder.",
    )
