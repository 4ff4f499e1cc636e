"""Builds the .mcpb bundle: one file that desktop clients install by a double click.

It contains the wheel and the locked versions of what it needs; the client's uv installs both.
"""

import argparse
import json
import re
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_EPOCH = (2026, 1, 1, 0, 0, 0)
"""The time of every file in the bundle, so that equal contents are equal bundles."""
_PIN = re.compile(r"^([A-Za-z0-9._-]+==[^\s\\;]+)(\s*;[^\\]+)?", re.MULTILINE)
_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "CONTACT_EMAIL": {
        "type": "string",
        "title": "E-mail address",
        "description": "Your own; scholarly sources require or recommend one.",
    },
    "DOIGET_STORE_ROOT": {
        "type": "directory",
        "title": "Library",
        "description": "The folder that papers are stored in.",
    },
    "EXA_API_KEY": {
        "type": "string",
        "title": "Exa key",
        "description": "Adds a search engine and written answers.",
        "sensitive": True,
    },
    "BRAVE_API_KEY": {
        "type": "string",
        "title": "Brave Search key",
        "description": "Adds a search engine and local search.",
        "sensitive": True,
    },
}


def manifest(
    project: Mapping[str, Any], tools: list[dict[str, Any]], wheel: str
) -> dict[str, Any]:
    """The manifest of the bundle, in version 0.4 of its format."""
    start = ["tool", "run", "--python", project["requires-python"]]
    files = ["--constraints", "${__dirname}/constraints.txt", "--from", f"${{__dirname}}/{wheel}"]
    return {
        "manifest_version": "0.4",
        "name": project["name"],
        "display_name": "Sourcewright",
        "version": project["version"],
        "description": project["description"],
        "author": {"name": project["authors"][0]["name"], "url": project["urls"]["Homepage"]},
        "repository": {"type": "git", "url": project["urls"]["Source"]},
        "homepage": project["urls"]["Homepage"],
        "documentation": project["urls"]["Documentation"],
        "support": project["urls"]["Issues"],
        "license": project["license"],
        "keywords": project["keywords"],
        "server": {
            "type": "uv",
            "entry_point": wheel,
            "mcp_config": {
                "command": "uv",
                "args": [*start, *files, project["name"], "serve"],
                "env": {name: f"${{user_config.{name.lower()}}}" for name in _SETTINGS},
            },
        },
        "tools": [
            {"name": tool["name"], "description": tool["listing"]["title"]} for tool in tools
        ],
        "prompts_generated": True,
        "compatibility": {
            "platforms": ["darwin", "linux"],
            "runtimes": {"python": project["requires-python"]},
        },
        "user_config": {
            name.lower(): {**facts, "required": False} for name, facts in _SETTINGS.items()
        },
    }


def constraints(lock: str) -> str:
    """The pinned versions of a lock file, without its hashes."""
    return "".join(f"{pin}{marker.rstrip()}\n" for pin, marker in _PIN.findall(lock))


def build(wheel: Path, target: Path) -> None:
    """Write the bundle of a wheel."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    listed = json.loads((ROOT / "src" / project["name"] / "manifest.json").read_bytes())["tools"]
    about = manifest(project, listed, wheel.name)
    contents = {
        "manifest.json": json.dumps(about, indent=2, ensure_ascii=False).encode() + b"\n",
        "constraints.txt": constraints(
            (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
        ).encode(),
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
        wheel.name: wheel.read_bytes(),
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, content, zipfile.ZIP_DEFLATED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    build(given.wheel, given.target)
    print(f"wrote {given.target}")


if __name__ == "__main__":
    main()
