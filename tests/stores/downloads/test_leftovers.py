"""Temporary files of downloads: those of dead processes are removed, others stay."""

import asyncio
import signal
import subprocess
import sys

from sourcewright.stores.downloads.deposit import save

WRITER = """
import sys, time
from pathlib import Path
from sourcewright.stores.downloads.deposit import write_download

def wait():
    print("written", flush=True)
    sys.stdin.read()

write_download(Path(sys.argv[1]), lambda number: f"{number}.pdf", b"%PDF-1.7 theirs", wait)
"""


def names(number):
    return f"mine-{number}.pdf"


def parts(folder):
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]


def writer(folder):
    """A process that has written its temporary file and waits to be allowed to name it."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"written\n"
    return process


def test_what_killed_processes_left_is_swept_by_the_next_save(tmp_path):
    processes = [writer(tmp_path) for _ in range(3)]
    for process in processes:
        with process:
            process.send_signal(signal.SIGKILL)
    left = len(parts(tmp_path))

    asyncio.run(save(tmp_path, names, b"%PDF-1.7 mine"))

    assert left == 3
    assert [path.name for path in tmp_path.iterdir()] == ["mine-0.pdf"]


def test_what_a_living_process_is_writing_is_left_alone(tmp_path):
    with writer(tmp_path) as process:
        asyncio.run(save(tmp_path, names, b"%PDF-1.7 mine"))
        alive = parts(tmp_path)
        process.stdin.close()

    assert len(alive) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"0.pdf", "mine-0.pdf"}


def test_only_files_of_ours_are_swept(tmp_path):
    others = [".sourcewright-notes.part", "thesis.part", ".sourcewright-0123456789abcdef.pdf"]
    for name in others:
        (tmp_path / name).touch()
    (tmp_path / ".sourcewright-0123456789abcdef.part").mkdir()

    asyncio.run(save(tmp_path, names, b"%PDF-1.7 mine"))

    kept = {path.name for path in tmp_path.iterdir()}
    assert kept >= {*others, ".sourcewright-0123456789abcdef.part"}


def test_a_new_start_sweeps_the_usual_folder_before_anything_is_saved(cli, tmp_path):
    left = tmp_path / "downloads" / ".sourcewright-0123456789abcdef.part"
    left.parent.mkdir()
    left.touch()

    cli("tool", "paper_metadata", "--identifier", "10.5555/fine-paper")

    assert not left.exists()
