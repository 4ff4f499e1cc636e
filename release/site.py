"""Prepares the pages of the documentation site, which `make docs` builds.

The README becomes the first page. Links out of docs/ lead to the files on the code host; every
other link must lead to a page, which the build checks.
"""

import argparse
import json
import posixpath
import re
import shutil
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFIG = Path(__file__).with_name("zensical.toml")
_ADDITIONS = ("site.css", "site.js")
"""What the theme lacks, beside this file."""
_PARTS = {
    "Start": "start",
    "Guides": "guides",
    "Explanations": "explain",
    "Reference": "reference",
    "Decisions": "decisions",
}
"""The menu, in this order, and the folder of each part."""
_LINK = re.compile(r"(\]\()([^\s():#]+)((?:#[^\s()]*)?\))")

_LINE_LINK = re.compile(r'<a id="__codelineno-[\w-]+" name="[\w-]+" href="#[\w-]+"></a>')


def site_page(text: str, path: str, host: str) -> str:
    """The text of the page at a path below the project's root, with links for the site."""

    def changed(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link[2]))
        if target == "README.md":
            target = "docs/index.md"
        if target.startswith("docs/"):
            folder = posixpath.dirname(path) or "docs"
            return f"{link[1]}{posixpath.relpath(target, folder)}{link[3]}"
        if (ROOT / target).exists():
            return f"{link[1]}{host}/blob/main/{target}{link[3]}"
        return link[0]

    return _LINK.sub(changed, text)


def prepare(folder: Path) -> None:
    """Write the pages and the configuration of the site into a new folder."""
    config = CONFIG.read_text(encoding="utf-8")
    host = tomllib.loads(config)["project"]["repo_url"]
    pages = folder / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", pages)
    shutil.copy(ROOT / "README.md", pages / "index.md")
    for name in _ADDITIONS:
        shutil.copy(CONFIG.with_name(name), pages)
    for page in pages.rglob("*.md"):
        name = page.relative_to(pages).as_posix()
        path = "README.md" if name == "index.md" else f"docs/{name}"
        page.write_text(site_page(page.read_text(encoding="utf-8"), path, host), encoding="utf-8")
    menu = ['{"Home" = "index.md"}', *(_part(pages, name) for name in _PARTS)]
    config = config.replace("[project]\n", f"[project]\nnav = [{', '.join(menu)}]\n", 1)
    (folder / "zensical.toml").write_text(config, encoding="utf-8")


def _part(pages: Path, name: str) -> str:
    listed = sorted(page.relative_to(pages) for page in (pages / _PARTS[name]).glob("*.md"))
    return f'{{"{name}" = {json.dumps([page.as_posix() for page in listed])}}}'


def finish(folder: Path) -> None:
    """Remove the links of single lines of code, which have no name and which nothing leads to."""
    for page in (folder / "site").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(_LINE_LINK.sub("", text), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--finish", action="store_true", help="Finish the site that was built.")
    arguments = parser.parse_args()
    (finish if arguments.finish else prepare)(arguments.folder)
