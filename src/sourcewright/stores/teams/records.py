"""Records about users: how they are encoded, and how their groups are named."""

import json
from typing import Generic, TypeVar

from sourcewright.base.errors import StoreError
from sourcewright.base.formats.codec import JsonCodec, Undecodable
from sourcewright.domain.ports import RecordStore
from sourcewright.domain.users.teams import Refusal

T = TypeVar("T")

LASTING_SECONDS = 100 * 365.25 * 86_400
"""A time to live that nobody will see the end of."""


class NotPermitted(Exception):
    """Nothing was written: the user may not, or no longer. Raised by the guards of updates."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class StoredJson(Generic[T]):
    """Encodes one kind of record."""

    def __init__(self, kind: type[T]) -> None:
        self._codec = JsonCodec(kind)
        self._name = kind.__name__.lower()

    def encode(self, value: T) -> bytes:
        return self._codec.encode(value)

    def decode(self, value: bytes) -> T:
        try:
            return self._codec.decode(value)
        except Undecodable as error:
            raise StoreError(
                f"the {self._name} was written by another version of this program"
            ) from error


def group_name(subject: str, scope: str, *key: str | int) -> str:
    """Return a name that no other subject, scope or key has."""
    return json.dumps([subject, scope, *key])


async def erase_group(records: RecordStore, group: str) -> int:
    """Erase a group of records; return how many there were."""
    count = len(await records.names(group))
    await records.delete([group])
    return count
