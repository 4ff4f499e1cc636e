"""What is published says the same everywhere: package, registry entry, bundle, README."""

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sourcewright import ISSUES_URL, __version__
from sourcewright.settings.template import setting_names

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@cache
def project() -> dict[str, Any]:
    facts: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    about: dict[str, Any] = facts["project"]
    return about


def metadata() -> dict[str, Any]:
    """The metadata as the build backend makes it."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata", "--compact"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def registry_entry() -> dict[str, Any]:
    entry: dict[str, Any] = json.loads((ROOT / "server.json").read_bytes())
    return entry


def bundle() -> Any:
    path = ROOT / "release" / "bundle.py"
    spec = importlib.util.spec_from_file_location("bundle", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_long_description_has_no_relative_link() -> None:
    text = metadata()["readme"]["text"]

    targets = re.findall(r"\]\(([^)\s]+)|<img src=\"([^\"]+)", text)
    assert len(targets) > 20
    links = [link for pair in targets for link in pair if link]
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert "blob/main/docs/" in text


def test_the_package_says_what_an_index_shows() -> None:
    facts = metadata()

    assert facts["version"] == __version__
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} <= facts["urls"].keys()
    assert facts["urls"]["Issues"] == ISSUES_URL
    assert "Typing :: Typed" in facts["classifiers"]
    assert len(facts["keywords"]) >= 5
    assert (ROOT / "src" / "sourcewright" / "py.typed").exists()


def test_the_first_screen_has_the_two_commands_of_a_clone_and_where_to_clone() -> None:
    first_screen = "\n".join(README.splitlines()[:20])
    commands = re.findall(r"^(git clone \S+|make \w+)", first_screen, re.MULTILINE)

    assert commands == [f"git clone {project()['urls']['Source']}", "make demo", "make test"]
    assert "simulated" in first_screen
    assert "doctor --online" in first_screen


def test_no_page_installs_what_is_on_no_index() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs" / "start").glob("*.md")]
    pages += (ROOT / "docs" / "guides").glob("*.md")

    install = re.compile(r"(?:uv tool install|pipx? install|uvx) sourcewright\b")
    assert [page.name for page in pages if install.search(page.read_text("utf-8"))] == []


def test_the_registry_entry_agrees_with_the_package_and_the_readme() -> None:
    entry = registry_entry()
    [package] = entry["packages"]

    assert (entry["version"], package["version"]) == (__version__, __version__)
    assert package["identifier"] == project()["name"]
    assert entry["repository"]["url"] == project()["urls"]["Source"]
    assert f"mcp-name: {entry['name']}" in README
    owner = entry["repository"]["url"].split("/")[3]
    assert entry["name"] == f"io.github.{owner}/{project()['name']}"
    assert len(entry["description"]) <= 100


@pytest.mark.parametrize("place", ["registry", "bundle"])
def test_every_setting_that_is_offered_for_entry_exists(place: str) -> None:
    if place == "registry":
        names = {one["name"] for one in registry_entry()["packages"][0]["environmentVariables"]}
    else:
        about = bundle().manifest(project(), [], "x.whl")
        names = set(about["server"]["mcp_config"]["env"])
        assert {name.lower() for name in names} == about["user_config"].keys()

    assert names
    assert names <= setting_names()


def test_the_bundle_names_every_tool_and_the_locked_versions() -> None:
    tools = json.loads((ROOT / "src" / "sourcewright" / "manifest.json").read_bytes())["tools"]
    lock = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")

    about = bundle().manifest(project(), tools, "x.whl")
    pins = bundle().constraints(lock).splitlines()

    assert {tool["name"] for tool in about["tools"]} == {tool["name"] for tool in tools}
    assert len(pins) == len(re.findall(r"^[A-Za-z0-9._-]+==", lock, re.MULTILINE))
    assert all("--hash" not in pin for pin in pins)
    assert any(pin.startswith("pydantic==") for pin in pins)
