"""Papers put into the library behind the tools' back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sourcewright.domain.entries import Entry, Holding
from sourcewright.stores.metadata_files import entry_bytes


@pytest.fixture
def shelve(tmp_path: Path) -> Callable[..., Path]:
    """Writes a metadata file as another program would; gives its path."""

    def write(key: str, *, held: dict[str, Any] | None = None, **fields: Any) -> Path:
        holding = Holding(
            **{"fetched_at": "2026-01-01T00:00:00Z", "source": "crossref", **(held or {})}
        )
        entry = Entry(key=key, holding=holding, **{"title": key, "authors": (), **fields})
        path = tmp_path / "papers" / ".metadata" / f"{key}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry_bytes(entry))
        return path

    return write
