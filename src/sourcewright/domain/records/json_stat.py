"""JSON-stat: data sets of statistics offices, decoded into cubes (versions 1.x and 2.0)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, Final

from sourcewright.base.formats.answer_limits import LimitExceeded
from sourcewright.base.formats.json_values import Record, list_of, record_of, text_of
from sourcewright.domain.records.cubes import MAX_CELLS, Cube, Dimension, time_position

FLAGS: Final[Mapping[str, str]] = {
    "b": "break in time series",
    "c": "confidential",
    "d": "definition differs",
    "e": "estimated",
    "f": "forecast",
    "i": "imputed",
    "m": "missing",
    "n": "not significant",
    "p": "provisional",
    "r": "revised",
    "s": "Eurostat estimate",
    "u": "low reliability",
    "z": "not applicable",
    ":": "not available",
}
"""The meaning of common status flags, used if a response does not define them."""
_MAX_DATASETS: Final = 100
_ZEROS: Final = 12


def read_datasets(document: Any) -> tuple[Cube, ...]:
    """Every data set of a JSON-stat response: one, a bundle of several, or a collection.

    Raises:
        LookupError, TypeError, ValueError: It is not JSON-stat.
    """
    datasets = list(_datasets(record_of(document)))
    if not datasets:
        raise ValueError("no data set in the response")
    if len(datasets) > _MAX_DATASETS:
        raise LimitExceeded(f"{len(datasets)} data sets in one response")
    return tuple(map(read_dataset, datasets))


def _datasets(document: Record) -> Iterator[Record]:
    if "value" in document and "dimension" in document:
        yield document
    elif document.get("class") == "collection":
        items = list_of(record_of(document["link"])["item"])
        yield from (item for item in map(record_of, items) if "value" in item)
    else:
        # Version 1.x sends an object of data sets by name.
        for entry in document.values():
            if isinstance(entry, Mapping) and "value" in entry and "dimension" in entry:
                yield entry


def read_dataset(dataset: Record) -> Cube:
    """One data set with all its cells."""
    declared = record_of(dataset["dimension"])
    ids = [str(one) for one in list_of(dataset["id"] if "id" in dataset else declared["id"])]
    sizes = list_of(dataset["size"] if "size" in dataset else declared["size"])
    _check_sizes(ids, sizes)
    dimensions = tuple(
        _dimension(name, record_of(declared[name]), size)
        for name, size in zip(ids, sizes, strict=True)
    )
    roles = record_of(dataset.get("role") or declared.get("role"))
    statuses = _statuses(dataset, prod(sizes))
    by_cell = isinstance(dataset.get("status"), Mapping)
    return Cube(
        label=text_of(dataset.get("label") or dataset.get("title")) or "",
        dimensions=dimensions,
        cells=_cells(dataset["value"], prod(sizes), flagged=statuses.keys() if by_cell else ()),
        statuses=statuses,
        time=time_position(ids, [str(one) for one in roles.get("time") or ()]),
        updated=text_of(dataset.get("updated")),
    )


def _check_sizes(ids: Sequence[str], sizes: Sequence[Any]) -> None:
    if len(ids) != len(sizes) or not ids or len(set(ids)) != len(ids):
        raise ValueError(f"{len(ids)} dimensions with {len(sizes)} sizes")
    if not all(
        isinstance(size, int) and not isinstance(size, bool) and size >= 0 for size in sizes
    ):
        raise ValueError("a dimension without a size")
    if prod(sizes) > MAX_CELLS:
        raise LimitExceeded(f"a cube of {prod(sizes)} cells")


def _dimension(name: str, described: Record, size: int) -> Dimension:
    category = record_of(described["category"])
    labels = record_of(category.get("label"))
    codes = _codes(category, labels)
    if len(codes) != size:
        raise ValueError(f"dimension {name[:40]!r} has {len(codes)} categories of {size}")
    units = record_of(category.get("unit"))
    return Dimension(
        id=name,
        label=text_of(described.get("label")) or name,
        codes=codes,
        labels=tuple(text_of(labels.get(code)) or code for code in codes),
        units={code: unit for code in codes if (unit := _unit(units.get(code)))},
    )


def _codes(category: Record, labels: Record) -> tuple[str, ...]:
    """The codes in order; a dimension with a single category may have a label only."""
    index = category.get("index")
    if index is None:
        return tuple(labels)
    if isinstance(index, Mapping):
        ordered = sorted(index, key=lambda code: int(index[code]))
        if [int(index[code]) for code in ordered] != list(range(len(ordered))):
            raise ValueError("the categories are not numbered from 0 on")
        return tuple(ordered)
    return tuple(str(code) for code in list_of(index))


def _unit(value: Any) -> str | None:
    """A unit in words: its base, its multiplier, its symbol."""
    unit = record_of(value)
    label = text_of(unit.get("label"))
    base = text_of(unit.get("base"))
    power = unit.get("multiplier")
    # Beside a label it is said in words, because the label may name the scale too.
    scale = f"10^{power}" if isinstance(power, int) and 0 < power <= _ZEROS else None
    scale = f"multiplier {scale}" if scale and label else scale
    parts = dict.fromkeys(filter(None, (text_of(unit.get("symbol")), label, base, scale)))
    return ", ".join(parts) or None


def _cells(value: Any, count: int, *, flagged: Iterable[int]) -> dict[int, Any]:
    """The values by cell number; a cell with a flag and no value is missing."""
    if isinstance(value, list):
        if len(value) != count:
            raise ValueError(f"{len(value)} values in a cube of {count} cells")
        return dict(enumerate(value))
    sent = {int(at): one for at, one in record_of(value).items()}
    if sent and not (min(sent) >= 0 and max(sent) < count):
        raise ValueError(f"cell {max(sent)} of {count}")
    cells = dict.fromkeys(flagged) | sent
    return {at: cells[at] for at in sorted(cells)}


def _number(at: str, count: int) -> int:
    number = int(at)
    if not 0 <= number < count:
        raise ValueError(f"cell {number} of {count}")
    return number


def _statuses(dataset: Record, count: int) -> dict[int, str]:
    """The meaning of each flag, by cell number."""
    status = dataset.get("status")
    names = dict(FLAGS)
    extended = record_of(record_of(dataset.get("extension")).get("status"))
    names |= {str(k): str(v) for k, v in record_of(extended.get("label")).items()}
    if isinstance(status, Mapping) and "value" in status:  # as Eurostat sent it until 2016
        labels = record_of(record_of(status.get("category")).get("label"))
        names |= {str(k): str(v) for k, v in labels.items()}
        status = status["value"]
    if status is None:
        return {}
    if isinstance(status, str) or (isinstance(status, list) and len(status) == 1 < count):
        flag = status if isinstance(status, str) else status[0]
        return dict.fromkeys(range(count), _meaning(flag, names)) if flag else {}
    entries = (
        enumerate(status)
        if isinstance(status, list)
        else ((_number(at, count), flag) for at, flag in record_of(status).items())
    )
    return {at: _meaning(flag, names) for at, flag in entries if flag}


def _meaning(flag: Any, names: Mapping[str, str]) -> str:
    """The meaning of a flag; of each of its letters if these are flags."""
    text = str(flag)[:40]
    letters = [text] if text in names else list(dict.fromkeys(text))
    return ", ".join(names[one] for one in letters) if names.keys() >= {*letters} else text
