"""Every kind of key-value store, over the clock of the test."""

import pytest

from sourcewright.stores.keyvalue.disk import DiskStore
from sourcewright.stores.keyvalue.layered import LayeredStore
from sourcewright.stores.keyvalue.memory import MemoryStore
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.redis_records import RedisRecords
from sourcewright.stores.keyvalue.redis_server import RedisServer
from sourcewright.stores.keyvalue.redis_values import RedisValues
from sourcewright.stores.keyvalue.sealed import EncryptedStore, Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords

MEGABYTE = 1_000_000
KEY = "0f" * 32


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cache" / "answers.sqlite3"


@pytest.fixture
def memory(clock):
    return lambda max_bytes=MEGABYTE: MemoryStore(clock=clock, max_bytes=max_bytes)


@pytest.fixture
def disk(clock, path, closing):
    """Opens the file as a process of its own would."""
    return lambda **options: closing(DiskStore(path, clock=clock, **options))


@pytest.fixture
def sealed(clock):
    def seal(inner, key=KEY, previous_key=None):
        return EncryptedStore(inner, clock=clock, key=key, previous_key=previous_key)

    return seal


@pytest.fixture
def layered(clock):
    return lambda upper, lower: LayeredStore(upper, lower, clock=clock)


@pytest.fixture
def redis(empty_redis, clock, closing):
    """Connects to the server as another process would."""
    return lambda: closing(RedisServer(empty_redis, clock))


@pytest.fixture
def store(request, memory, disk, sealed, layered, clock):
    """The store that the test's parameter names."""

    def values():
        return RedisValues(request.getfixturevalue("redis")(), clock=clock)

    return {
        "memory": memory,
        "disk": disk,
        "bounded disk": lambda: disk(max_bytes=MEGABYTE),
        "sealed memory": lambda: sealed(memory()),
        "sealed disk": lambda: sealed(disk()),
        "layered": lambda: layered(memory(), sealed(disk())),
        "redis": values,
        "sealed redis": lambda: sealed(values()),
    }[request.param]()


@pytest.fixture
def record_store(request, tmp_path, clock, closing):
    """Opens the records of a file, or of Redis, as a process of its own would, with a key or without."""
    path = tmp_path / "state" / "records.sqlite3"
    kinds = {
        "file": lambda: RecordDatabase(path, clock=clock),
        "redis": lambda: RedisRecords(request.getfixturevalue("redis")(), clock=clock),
    }

    def opener(kind):
        def opened(key=KEY, previous_key=None):
            sealing = Sealing(key=key, previous_key=previous_key) if key else None
            return closing(SealedRecords(kinds[kind](), sealing))

        return opened

    return opener


@pytest.fixture
def put():
    """Writes records of a group."""

    async def write(records, group="g", ttl_seconds=3600.0, **values):
        written = {name: value.encode() for name, value in values.items()}
        await records.update(group, lambda _: written, ttl_seconds=ttl_seconds)

    return write
