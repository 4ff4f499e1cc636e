"""Builds wheel, sdist and bundle from a clean clone, and starts the server from each.

Each server is asked for its tools over a real pipe. What cannot be tried on this machine is
named as skipped; anything that fails ends with exit code 1.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "sourcewright"
SECONDS = 600
MESSAGES = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "release-check", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
)


class CheckError(Exception):
    """Something that a release must do, it does not."""


class Skipped(Exception):
    """Something cannot be tried on this machine."""


def run(words: Sequence[str | Path], *, cwd: Path | None = None) -> str:
    """Run a command and return what it printed."""
    done = subprocess.run(
        [str(word) for word in words],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        cwd=cwd,
    )
    if done.returncode:
        raise CheckError(f"{words[0]} failed: {done.stderr[-600:] or done.stdout[-600:]}")
    return done.stdout


def clone(folder: Path) -> Path:
    """A clone of the last commit, which contains nothing that is not tracked."""
    target = folder / "clone"
    run(["git", "clone", "--quiet", "--no-local", ROOT, target])
    return target


def build(source: Path) -> tuple[Path, Path, Path]:
    """The wheel, the sdist and the bundle of a source tree."""
    # Hatchling from the locked environment, so that nothing is downloaded to build.
    run([sys.executable, "-m", "hatchling", "build"], cwd=source)
    [wheel] = (source / "dist").glob("*.whl")
    [sdist] = (source / "dist").glob("*.tar.gz")
    bundle = wheel.with_name(f"{wheel.name.split('-py3')[0]}.mcpb")
    run([sys.executable, source / "release" / "bundle.py", wheel, bundle], cwd=source)
    return wheel, sdist, bundle


def check_wheel(wheel: Path, source: Path) -> str:
    """Every file of the package is in the wheel, and its description has no relative link."""
    names = set(zipfile.ZipFile(wheel).namelist())
    tree = source / "src"
    wanted = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    if missing := {name for name in wanted if "__pycache__" not in name} - names:
        raise CheckError(f"the wheel lacks {sorted(missing)[:5]}")
    if f"{PACKAGE}/py.typed" not in names:
        raise CheckError("the wheel lacks py.typed")
    [about] = [name for name in names if name.endswith(".dist-info/METADATA")]
    text = zipfile.ZipFile(wheel).read(about).decode()
    if "](docs/" in text or "](src/" in text:
        raise CheckError("the long description has relative links")
    return f"{len(names)} files, {wheel.stat().st_size / 1e6:.1f} MB"


def check_sdist(sdist: Path, wheel: Path, folder: Path) -> str:
    """A wheel that is built from the sdist has the same files as the one from the clone."""
    shutil.unpack_archive(sdist, folder / "sdist", filter="data")
    [tree] = (folder / "sdist").iterdir()
    run([sys.executable, "-m", "hatchling", "build", "--target", "wheel"], cwd=tree)
    [again] = (tree / "dist").glob("*.whl")
    files, same = (set(zipfile.ZipFile(path).namelist()) for path in (wheel, again))
    if files != same:
        raise CheckError(f"its wheel differs in {sorted(files ^ same)[:5]}")
    return f"builds the same wheel, {sdist.stat().st_size / 1e6:.1f} MB"


def check_manifest(bundle: Path, folder: Path) -> str:
    """The bundle's manifest is valid by the tool that defines its format."""
    npx = shutil.which("npx")
    if npx is None:
        raise Skipped("npx is not installed")
    unpacked = folder / "validated"
    shutil.unpack_archive(bundle, unpacked, "zip")
    run([npx, "--yes", "@anthropic-ai/mcpb", "validate", unpacked / "manifest.json"], cwd=folder)
    return f"valid, {bundle.stat().st_size / 1e6:.1f} MB"


def listed_tools(command: Sequence[str | Path], home: Path) -> str:
    """Start a server and ask it for its tools."""
    # This Python first: the system's may be older than those that are supported.
    python = Path(sys.base_prefix) / "bin"
    environment = {"HOME": str(home), "PATH": f"{python}:/usr/local/bin:/usr/bin:/bin"}
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in MESSAGES)
    done = subprocess.run(
        [str(word) for word in command],
        input=lines,
        env=_with_own_caches(environment),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    tools = [one["result"]["tools"] for one in answers if one.get("id") == 2]
    if done.returncode or not tools or not tools[0]:
        raise CheckError(f"no tools were listed: {done.stderr[-600:]}")
    return f"{len(tools[0])} tools"


def _with_own_caches(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with what decides where packages come from, and nothing else of ours."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("PIP_", "UV_", "SSL_", "HTTP", "http"))
    }
    return {**kept, **environment}


def from_pip(wheel: Path, folder: Path) -> str:
    """`pip install` into an empty environment."""
    place = folder / "venv"
    venv.create(place, with_pip=True)
    run([place / "bin" / "python", "-m", "pip", "install", "--quiet", wheel])
    return listed_tools([place / "bin" / PACKAGE, "serve"], folder)


def from_uvx(wheel: Path, folder: Path) -> str:
    return listed_tools([_installed("uvx"), "--from", wheel, PACKAGE, "serve"], folder)


def from_pipx(wheel: Path, folder: Path) -> str:
    return listed_tools([_installed("pipx"), "run", "--spec", wheel, PACKAGE, "serve"], folder)


def from_bundle(bundle: Path, folder: Path) -> str:
    """Start the bundle as a client does: unpacked, with its own words."""
    place = folder / "bundle"
    shutil.unpack_archive(bundle, place, "zip")
    start = json.loads((place / "manifest.json").read_bytes())["server"]["mcp_config"]
    arguments = [word.replace("${__dirname}", str(place)) for word in start["args"]]
    return listed_tools([_installed(start["command"]), *arguments], folder)


def _installed(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise Skipped(f"{program} is not installed")
    return path


def report(name: str, check: Callable[[], str]) -> bool:
    """Run one check and print its outcome; returns whether it did not fail."""
    start = time.monotonic()
    try:
        outcome, mark = check(), "ok"
    except Skipped as reason:
        outcome, mark = str(reason), "skipped"
    except (CheckError, OSError, subprocess.SubprocessError, ValueError) as error:
        outcome, mark = str(error), "FAILED"
    print(f"{mark:<8} {name:<22} {outcome} ({time.monotonic() - start:.0f} s)", flush=True)
    return mark != "FAILED"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="sourcewright-release-") as name:
        folder = Path(name)
        source = clone(folder)
        wheel, sdist, bundle = build(source)
        checks: dict[str, Callable[[], str]] = {
            "wheel": lambda: check_wheel(wheel, source),
            "sdist": lambda: check_sdist(sdist, wheel, folder),
            "bundle": lambda: check_manifest(bundle, folder),
            "server from pip": lambda: from_pip(wheel, folder),
            "server from uvx": lambda: from_uvx(wheel, folder),
            "server from pipx": lambda: from_pipx(wheel, folder),
            "server from the bundle": lambda: from_bundle(bundle, folder),
        }
        held = [report(title, check) for title, check in checks.items()]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
