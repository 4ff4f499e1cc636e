"""Config files of MCP clients: changed in place, with a back-up and an atomic write."""

import os
import stat
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from sourcewright.base.formats.json_comments import parse_json, set_json_value
from sourcewright.base.formats.toml_edits import parse_toml, set_toml_value
from sourcewright.cli.clients.catalogue import Client
from sourcewright.stores.files import open_folder

MAX_BYTES = 64 * 2**20
"""The file of Claude Code also contains its history, and can be long."""


def with_entry(client: Client, text: str, name: str, entry: Mapping[str, Any]) -> str:
    """The text of a config file with the entry; what else it says of the server is kept.

    Raises:
        ValueError: The text cannot be parsed, or has no place for the entry.
    """
    place: tuple[str, ...] = (client.key, name)
    if client.format == "toml":
        change = set_toml_value
        parse_toml(text)
    else:
        change = set_json_value
        tables = parse_json(text, comments=client.format == "jsonc")
        if _is_later_form(client, tables):
            place = (client.key, client.later_key or "", name)
            entry = {key: value for key, value in entry.items() if key != "enabled"}
    for key, value in entry.items():
        if isinstance(value, Mapping):
            for inner, one in value.items():
                text = change(text, (*place, key, inner), one)
        else:
            text = change(text, (*place, key), value)
    return text


def _is_later_form(client: Client, tables: Any) -> bool:
    """Whether a file has its entries one level deeper, and no server is named like that level."""
    entries = tables.get(client.key) if isinstance(tables, dict) else None
    deeper = entries.get(client.later_key) if isinstance(entries, dict) else None
    return isinstance(deeper, dict) and "command" not in deeper and "url" not in deeper


def read_config(path: Path) -> str | None:
    """The text of a config file; None if there is no file.

    Raises:
        OSError: It cannot be read, or is not a file of a usual size.
        UnicodeDecodeError: It is not UTF-8.
    """
    try:
        with open_folder(path.parent) as folder:
            content = folder.read(path.name, MAX_BYTES)
    except FileNotFoundError:
        return None
    return None if content is None else content.decode("utf-8")


def write_config(path: Path, text: str, *, now: datetime) -> Path | None:
    """Replace a config file; returns the path of the back-up of what it was.

    Raises:
        OSError: It cannot be written; the file is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600
    temporary = f".{path.name}.{os.getpid()}.part"
    with open_folder(path.parent) as folder:
        old = folder.read(path.name, MAX_BYTES)
        backup = None if old is None else _free_name(path, now)
        if backup and old is not None:
            folder.write(backup.name, old, mode=mode)
        try:
            folder.write(temporary, text.encode(), mode=mode)
            os.chmod(temporary, mode, dir_fd=folder.descriptor)
            folder.rename(temporary, path.name)
        except OSError:
            folder.remove(temporary)
            raise
    return backup


def _free_name(path: Path, now: datetime) -> Path:
    """A name for a back-up that no file has yet."""
    first = path.with_name(f"{path.name}.{now:%Y%m%d-%H%M%S}.bak")
    free, count = first, 2
    while free.exists():
        free, count = first.with_name(f"{first.stem}-{count}.bak"), count + 1
    return free
