"""Generates the manifest and the reference pages, or reports which are out of date.

Run it as `python -m sourcewright.cli.gen [--check] [--root FOLDER]`.
"""

import argparse
import difflib
import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from sourcewright import providers, tools
from sourcewright.cli.reference.commands import commands_page
from sourcewright.cli.reference.errors import errors_page
from sourcewright.cli.reference.exit_codes import exit_codes_page
from sourcewright.cli.reference.facts import manifest, options, typed_schemas
from sourcewright.cli.reference.promises import promises_page
from sourcewright.cli.reference.prompts import prompts_page
from sourcewright.cli.reference.providers import providers_page
from sourcewright.cli.reference.python import python_pages
from sourcewright.cli.reference.settings import env_example, settings_page
from sourcewright.cli.reference.tools import tools_page
from sourcewright.services import prompts
from sourcewright.settings import TABLE
from sourcewright.settings.table import provider_settings

_CHECKOUT = Path(__file__).parents[3]
_PAGES = "docs/reference"
_DIFF_LINES = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Generate, or with `--check` only compare; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m sourcewright.cli.gen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    parser.add_argument("--root", type=Path, default=_CHECKOUT, help="the checkout to write to")
    args = parser.parse_args(arguments)
    if not args.root.is_dir() or (args.root == _CHECKOUT and not _is_checkout()):
        parser.error(f"{args.root} is not a checkout; name one with --root")
    files = generated(args.root)
    stale = {path: text for path, text in files.items() if current(args.root / path) != text}
    if args.check:
        return _report(args.root, stale)
    for path, text in stale.items():
        (args.root / path).parent.mkdir(parents=True, exist_ok=True)
        (args.root / path).write_text(text, encoding="utf-8")
        sys.stdout.write(f"wrote {path}\n")
    return 0


def _is_checkout() -> bool:
    """Whether this runs from a checkout and not from an installed package."""
    return (_CHECKOUT / "pyproject.toml").is_file()


def generated(root: Path) -> Mapping[str, str]:
    """The expected content of every generated file, by path below the root."""
    specs = [spec for _, spec in sorted(tools.discover().items())]
    kinds = [kind for _, kind in sorted(providers.discover().items())]
    templates = [prompt for _, prompt in sorted(prompts.discover().items())]
    settings = (*TABLE, *provider_settings(options(kind.info for kind in kinds)))
    return {
        ".env.example": env_example(settings),
        "src/sourcewright/manifest.json": manifest(specs, kinds, templates),
        "src/sourcewright/typed_schemas.json": typed_schemas(specs),
        f"{_PAGES}/cli.md": commands_page(),
        f"{_PAGES}/errors.md": errors_page(),
        f"{_PAGES}/exit-codes.md": exit_codes_page(),
        f"{_PAGES}/prompts.md": prompts_page(templates),
        f"{_PAGES}/providers.md": providers_page(kinds),
        f"{_PAGES}/settings.md": settings_page(settings),
        f"{_PAGES}/tools.md": tools_page(specs),
        **{f"{_PAGES}/{name}.md": text for name, text in python_pages().items()},
        **_promises(root),
    }


def current(path: Path) -> str | None:
    """The current content of a file; None when it does not exist."""
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _promises(root: Path) -> Mapping[str, str]:
    source = root / "tests" / "promises" / "manifest.py"
    return {f"{_PAGES}/promises.md": promises_page(source)} if source.is_file() else {}


def _report(root: Path, stale: Mapping[str, str]) -> int:
    for path, text in stale.items():
        now = (current(root / path) or "").splitlines()
        lines = difflib.unified_diff(now, text.splitlines(), path, "generated", n=0, lineterm="")
        excerpt = "\n".join(f"  {line[:200]}" for line in islice(lines, _DIFF_LINES))
        sys.stderr.write(f"{path} is out of date; run make gen\n{excerpt}\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
