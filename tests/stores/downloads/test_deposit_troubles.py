"""Downloads on full, read-only and unusual disks, and by several processes at once."""

import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

OTHER = b"%PDF-1.7 waves " * 1000

LIMITED_PROCESS = """
import asyncio, errno, os, resource, sys
from pathlib import Path
from sourcewright.base.errors import StoreError
from sourcewright.stores.downloads.deposit import save

def refuse_links(event, _arguments):
    if event == "os.link":
        raise PermissionError(errno.EPERM, "this disk knows no second names")

async def main(folder, trouble, size):
    if trouble == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
    if trouble == "forbidden" and os.geteuid() == 0:
        os.seteuid(65534)
    if trouble == "masked":
        os.umask(0o027)
    if trouble == "linkless":
        sys.addaudithook(refuse_links)
    names = lambda number: f"tides {number}.pdf"
    for body in (b"%" * size, b"!" * size, b"%" * size):
        try:
            saved = await save(folder, names, body)
            sys.stdout.write(f"{saved.path.name} {saved.reused}\\n")
        except StoreError as error:
            sys.stdout.write(f"{error}\\n")

asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
"""


def listed(folder: Path) -> dict[str, bytes]:
    """The files of a folder, hidden ones included."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def save_in_limited_process(folder: Path, trouble: str, size: int = 5000) -> list[str]:
    """The output lines of a process that saves three papers, the third equal to the first."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED_PROCESS, folder, trouble, str(size)],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_full_disk_is_an_error_and_leaves_nothing(tmp_path):
    (tmp_path / "tides 0.pdf").write_bytes(OTHER)

    lines = save_in_limited_process(tmp_path, "full")

    assert len(lines) == 3
    for line in lines:
        assert line.startswith(f"{tmp_path}: the paper could not be saved")
        assert "not enough disk space (file too large)" in line
    assert listed(tmp_path) == {"tides 0.pdf": OTHER}


@pytest.mark.parametrize("below", ["", "new"])
def test_a_folder_that_may_not_be_written_is_an_error_and_is_left_alone(below):
    # Not under the test's own folder, which only its owner may enter.
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o555)

        lines = save_in_limited_process(Path(name, below), "forbidden")

        assert len(lines) == 3
        for line in lines:
            assert line.startswith(f"{Path(name, below)}: the paper could not be saved")
            assert "the folder is not writable (permission denied)" in line
        Path(name).chmod(0o700)
        assert listed(Path(name)) == {}


def test_a_file_that_may_not_be_read_counts_as_another_one():
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        (Path(name) / "tides 0.pdf").write_bytes(b"%" * 5000)
        (Path(name) / "tides 0.pdf").chmod(0o000)

        lines = save_in_limited_process(Path(name), "forbidden")

        assert lines == ["tides 1.pdf False", "tides 2.pdf False", "tides 1.pdf True"]


def test_a_disk_without_second_names_for_files_is_served_as_well(tmp_path):
    (tmp_path / "tides 0.pdf").write_bytes(OTHER)

    lines = save_in_limited_process(tmp_path, "linkless")

    assert lines == ["tides 1.pdf False", "tides 2.pdf False", "tides 1.pdf True"]
    assert listed(tmp_path) == {
        "tides 0.pdf": OTHER,
        "tides 1.pdf": b"%" * 5000,
        "tides 2.pdf": b"!" * 5000,
    }


def test_processes_that_save_one_name_at_once_keep_all_papers(tmp_path):
    commands = [
        [sys.executable, "-c", LIMITED_PROCESS, tmp_path, trouble, str(size)]
        for trouble in ("none", "linkless")
        for size in (5000, 6000, 5000)
    ]

    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    ended = [process.wait(timeout=300) for process in running]

    assert ended == [0] * len(commands)
    kept = listed(tmp_path)
    assert {(content[:1], len(content)) for content in kept.values()} == {
        (letter, size) for letter in (b"%", b"!") for size in (5000, 6000)
    }
    assert not any(name.startswith(".") for name in kept)


def test_files_and_folders_have_the_modes_that_the_mask_leaves(tmp_path):
    save_in_limited_process(tmp_path / "new", "masked")

    made = (tmp_path / "new", tmp_path / "new" / "tides 0.pdf")
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [0o750, 0o640]
