"""The documentation site has every page in its menu, and links that lead somewhere."""

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HOST = "https://github.com/sourcewright/sourcewright/blob/main"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    subprocess.run(
        [sys.executable, "-I", ROOT / "release" / "site.py", folder], check=True, timeout=60
    )
    return folder


def menu_of(site: Path) -> Iterator[str]:
    config: dict[str, Any] = tomllib.loads((site / "zensical.toml").read_text(encoding="utf-8"))
    for part in config["project"]["nav"]:
        for pages in part.values():
            yield from [pages] if isinstance(pages, str) else pages


def test_every_page_is_in_the_menu_once(site: Path) -> None:
    pages = [page.relative_to(site / "pages").as_posix() for page in site.rglob("*.md")]

    assert sorted(menu_of(site)) == sorted(pages)
    assert len(pages) == len(list((ROOT / "docs").rglob("*.md"))) + 1


def test_the_first_page_is_the_readme_with_links_to_pages_of_the_site(site: Path) -> None:
    first = (site / "pages" / "index.md").read_text(encoding="utf-8")

    assert "](start/five-prompts.md)" in first
    assert "](pictures/terminal.svg)" in first
    assert "](docs/" not in first


def test_links_out_of_the_pages_lead_to_the_code_host(site: Path) -> None:
    trouble = (site / "pages" / "guides" / "troubleshooting.md").read_text(encoding="utf-8")
    first = (site / "pages" / "index.md").read_text(encoding="utf-8")

    assert f"]({HOST}/SECURITY.md)" in trouble
    assert f"]({HOST}/CONTRIBUTING.md)" in first


def test_a_link_to_the_readme_leads_to_the_first_page(site: Path) -> None:
    questions = (site / "pages" / "start" / "faq.md").read_text(encoding="utf-8")

    assert "](../index.md#legal-notice)" in questions


def test_the_site_has_the_colours_of_the_system_and_a_switch(site: Path) -> None:
    config: dict[str, Any] = tomllib.loads((site / "zensical.toml").read_text(encoding="utf-8"))
    palettes = config["project"]["theme"]["palette"]

    assert [one["media"] for one in palettes] == [
        "(prefers-color-scheme)",
        "(prefers-color-scheme: light)",
        "(prefers-color-scheme: dark)",
    ]
    assert all(one["toggle"]["name"] for one in palettes)
    for kind in ("extra_css", "extra_javascript"):
        [name] = config["project"][kind]
        assert (site / "pages" / name).is_file()


def test_lines_of_code_are_no_links_without_a_name(tmp_path: Path) -> None:
    page = tmp_path / "site" / "guides" / "a.html"
    page.parent.mkdir(parents=True)
    link = '<a id="__codelineno-0-1" name="__codelineno-0-1" href="#__codelineno-0-1"></a>'
    page.write_text(f'<code><span id="__span-0-1">{link}make demo</span></code><a href="#x">x</a>')

    script = ROOT / "release" / "site.py"
    subprocess.run([sys.executable, "-I", script, tmp_path, "--finish"], check=True, timeout=60)

    assert page.read_text() == (
        '<code><span id="__span-0-1">make demo</span></code><a href="#x">x</a>'
    )
