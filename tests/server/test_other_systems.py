"""The server where the system lacks what only Linux has, as macOS does."""

import json
import subprocess
import sys

LACKING = """\
import errno, fcntl, os, resource, select, socket, sys

def without_proc(event, arguments):
    # As where there is no /proc.
    path = arguments[0] if arguments else None
    if event in ("open", "os.listdir", "os.scandir") and str(path).startswith("/proc"):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)

sys.addaudithook(without_proc)
os.process_cpu_count = os.cpu_count  # as Python 3.13 defines it without sched_getaffinity
for module, names in (
    (fcntl, ("F_SETPIPE_SZ", "F_GETPIPE_SZ", "F_OFD_SETLK")),
    (os, ("O_PATH", "O_TMPFILE", "sched_getaffinity", "memfd_create", "pidfd_open", "fdatasync")),
    (select, ("epoll", "poll")),
    (socket, ("TCP_USER_TIMEOUT", "SO_PEERCRED")),
):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)

from sourcewright.__main__ import main
sys.exit(main())
"""
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
PAPER = "10.5555/fine-paper"
CALLS = {
    "doiget_fetch_paper": {"ref": PAPER},
    "paper_download": {"identifier": PAPER},
    "scrape_page": {"url": "https://en.wikipedia.org/wiki/Estuary"},
    "doiget_health": {},
}


def conversation():
    yield {"id": 0, "method": "initialize", "params": INITIALIZE}
    yield {"method": "notifications/initialized"}
    for number, (name, arguments) in enumerate(CALLS.items(), 1):
        yield {
            "id": number,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }


def answers_of(process):
    """The answers to all calls, by id; the input stays open until they are there."""
    for message in conversation():
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.flush()
    answers = {}
    while len(answers) <= len(CALLS):
        line = process.stdout.readline()
        assert line, process.stderr.read()
        answer = json.loads(line)
        answers |= {answer["id"]: answer} if "id" in answer else {}
    return answers


def test_papers_and_pages_are_served_without_what_only_linux_has(environment, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", LACKING, "serve"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    with process:
        answers = answers_of(process)
        process.stdin.close()
        assert process.wait(300) == 0

    results = [answers[number]["result"] for number in range(1, len(CALLS) + 1)]
    assert [one for one in results if one.get("isError")] == []
    fetched, downloaded, page, health = (one["structuredContent"] for one in results)
    assert (fetched["pdf"]["status"], fetched["pdf"]["file_check"]) == ("fetched", "confirmed")
    assert "Tidal mixing" in json.dumps(downloaded)
    assert page["content"].startswith("# Estuary")
    assert (health["store_writable"], health["log_writable"]) == (True, True)
