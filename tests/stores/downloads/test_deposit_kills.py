"""Downloads while the processes that save them are killed."""

import hashlib
import random
import shutil
from pathlib import Path

import pytest

from sourcewright.stores.downloads.deposit import save

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("killable_downloaders.py")
NAMES = ["[2031] - Tides.pdf", *(f"[2031] - Tides ({number}).pdf" for number in (2, 3, 4))]


def name_of(number: int) -> str:
    return NAMES[number] if number < len(NAMES) else f"{number} too many.pdf"


def assert_every_name_has_a_whole_file(folder: Path) -> dict[str, bytes]:
    files = {path.name: path.read_bytes() for path in folder.glob("[!.]*")}
    for name, data in files.items():
        assert hashlib.sha256(data[:-64]).hexdigest().encode() == data[-64:], name
    return files


async def test_kills_leave_whole_files_each_kept_once(tmp_path, writers, often):
    """Three processes at a time save the same few papers under one name."""
    kills = often(30, 60)
    chance, folder = random.Random(7), tmp_path / "new" / "papers"
    for _ in range(kills // 3):
        writers.end_three(tmp_path, chance, most_lines=1500)

        assert_every_name_has_a_whole_file(folder)

    files = assert_every_name_has_a_whole_file(folder)
    assert set(files) <= set(NAMES)
    assert 1 < len(files) == len(set(files.values()))
    assert {name.replace("_", " ") for name in writers.acknowledged} <= set(files)
    assert len(writers.acknowledged) > kills / 2


@pytest.mark.promise("kept.files-are-whole")
async def test_a_kill_at_any_line_leaves_no_part_of_a_file_under_a_name(tmp_path, writers):
    """It dies a line later each time, in longer steps while it has only looked around."""
    assert writers.once(tmp_path / "unhurt", 0)
    body = (tmp_path / "unhurt" / "new" / "papers" / NAMES[0]).read_bytes()
    other = b"other" + hashlib.sha256(b"other").hexdigest().encode()
    outcomes, lived, line, step = [], False, 0, 9
    while not lived:
        line += step
        folder = tmp_path / str(line) / "new" / "papers"
        folder.mkdir(parents=True)
        (folder / NAMES[0]).write_bytes(other)
        lived = writers.once(tmp_path / str(line), line)

        if step > 1 and list(folder.glob(".*")):
            line, step = line - step, 1
        files = assert_every_name_has_a_whole_file(folder)
        outcomes.append(body in files.values())
        saved = await save(folder, name_of, body)
        assert saved.reused == outcomes[-1]
        assert assert_every_name_has_a_whole_file(folder) == {NAMES[0]: other, NAMES[1]: body}
        shutil.rmtree(folder.parents[1])

    assert step == 1
    assert len(outcomes) > 50
    assert outcomes == sorted(outcomes)
    assert set(outcomes) == {False, True}
