"""The output in the README and the recorded terminal are what the commands print today."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from release_scripts import release_script

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def recording():
    with release_script("recording") as module:
        yield module


@pytest.fixture(scope="module")
def takes(recording):
    return recording.record()


def test_the_readme_shows_what_the_commands_print(recording, takes):
    text = recording.README.read_text(encoding="utf-8")

    assert recording.with_output(text, recording.excerpt(takes)) == text, "run `make recording`"
    shown = text.partition("<!-- output:")[2].partition("```\n")[2].partition("```")[0]
    assert len(shown.splitlines()) == 12
    for fact in ("RETRACTED", "does not exist", "could not be checked", "is not this paper"):
        assert fact in shown


def test_the_recorded_terminal_is_what_the_commands_print(recording, takes):
    text = recording.PICTURE.read_text(encoding="utf-8")

    assert recording.picture(takes) == text, "run `make recording`"


def test_the_recorded_terminal_is_small_and_carries_nothing_but_text(recording):
    text = recording.PICTURE.read_text(encoding="utf-8")
    root = ET.fromstring(text)

    assert len(text) < 16_000
    assert {element.tag for element in root.iter()} == {
        f"{SVG}{name}" for name in ("svg", "rect", "g", "text", "tspan")
    }
    assert "http" not in re.sub(
        r"http://www\.w3\.org/2000/svg", "", text.replace("https://journals", "")
    )
    lines = ["".join(line.itertext()) for line in root.iter(f"{SVG}text")]
    assert max(map(len, lines)) <= recording.COLUMNS


def test_the_readme_is_short_and_in_the_order_that_a_reader_needs():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)

    assert len(text.splitlines()) <= 120
    assert headings == [
        "What goes wrong without it",
        "Install",
        "Connect",
        "What it offers",
        "What you can rely on",
        "Limits",
        "Legal notice",
        "More",
    ]


def test_the_readme_names_every_tool_and_no_other_and_only_commands_that_exist():
    import json

    from sourcewright.cli.main import sourcewright

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [table] = re.findall(r"^\| job .*?(?=\n\n)", text, re.MULTILINE | re.DOTALL)
    manifest = json.loads((ROOT / "src" / "sourcewright" / "manifest.json").read_bytes())
    cells = [row.split("|")[1:-1] for row in table.splitlines()[2:]]

    named = {name for _, _, tools in cells for name in re.findall(r"`(\w+)`", tools)}
    commands = {
        words.removeprefix("sourcewright ").split()[0]
        for _, shell, _ in cells
        for words in re.findall(r"`([^`]+)`", shell)
    }
    assert named == {tool["name"] for tool in manifest["tools"]}
    assert commands <= set(sourcewright.list_commands(None))
