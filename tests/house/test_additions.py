"""Adding a provider, its site, its option and a tool edits no file that a person wrote."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OPTION = "SOURCEWRIGHT_ALMANAC_TOKEN"
GENERATED = (
    *("docs/reference/", ".env.example"),
    *("src/sourcewright/manifest.json", "src/sourcewright/typed_schemas.json"),
)

PROVIDER = '''\
"""Almanac: a register of DOIs that exists only while the additions are tested.

Docs: https://almanac.example/docs
Silent on: everything but the address.
"""

from typing import Any

from sourcewright.base.identifiers import Doi
from sourcewright.domain.options import Option
from sourcewright.base.works import Registration
from sourcewright.base.formats.parsers import json_object_in
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404


class Almanac(Provider):
    """Says where a DOI points."""

    info = ProviderInfo(
        name="almanac",
        title="The Almanac",
        home="https://almanac.example",
        base_url="https://api.almanac.example",
        rate=RateLimit(starts=5),
        allowed_hosts=("api.almanac.example",),
        options=(
            Option(name="token", env=("SOURCEWRIGHT_ALMANAC_TOKEN",), help="Opens it.", kind="secret"),
        ),
    )

    async def locate_doi(self, doi: str) -> Registration:
        return await self.upstream.lookup(
            Doi(doi).url.removeprefix("https://doi.org"),
            read=read_registration,
            absent=own_404(lambda body: json_object_in(body).get("known") is False),
        )


def read_registration(answer: Any) -> Registration:
    return Registration(doi=str(answer["almanac_doi"]), url=None)
'''

SITE = '''\
"""The Almanac's register."""

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.almanac.example",)


def answer(request: Request, corpus: Corpus) -> Response:
    work = corpus.by_doi(request.decoded_path.removeprefix("/"))
    if work is None:
        return as_json({"known": False}, status=404)
    return as_json({"almanac_doi": work.key})
'''

TOOL = '''\
"""The doiget_almanac tool."""

from typing import Literal

from pydantic import Field

from sourcewright.services.research import Research
from sourcewright.tools._base import Answer, Ask, tool


class AlmanacAsked(Ask):
    """How many."""

    days: int = Field(ge=1, le=9, description="How many days.")


class AlmanacFound(Answer):
    """As many."""

    ok: Literal[True] = True
    days: int


@tool(
    title="Count days",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={"days": 3},
)
async def doiget_almanac(ask: AlmanacAsked, research: Research) -> AlmanacFound:
    """Count days back to the caller.

    WHEN TO USE: Never, outside the test of additions.
    INPUTS: days (1 to 9).
    OUTPUTS: { ok: true, days }.
    COSTS: None.
    SIDE EFFECTS: None.
    LIMITS: Nine days.
    """
    return AlmanacFound(days=ask.days)
'''

WHICH = "almanac and (declared or nothing_else or nobody_has or failing or unplugged)"
"""Enough of the contracts to see that they meet the provider; each of them runs elsewhere."""

ADDED = {
    "src/sourcewright/providers/almanac.py": PROVIDER,
    "src/sourcewright/world/sites/almanac.py": SITE,
    "src/sourcewright/tools/doiget_almanac.py": TOOL,
    "tests/providers/test_almanac.py": '"""Stands for the provider\'s own tests."""\n',
    "tests/tools/test_doiget_almanac.py": '"""Stands for the tool\'s own tests."""\n',
    "changelog.d/almanac.added.md": "`doiget_almanac` counted days.\n",
}


def run(copy: Path, *words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run Python on the copy, in an empty environment."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        env={
            "PYTHONPATH": str(copy / "src"),
            # Beside the copy: compiled once, and no file of the copy is added.
            "PYTHONPYCACHEPREFIX": str(copy.parent / "compiled"),
            "HOME": str(copy.parent / "home"),
            "PATH": str(Path(sys.executable).parent),
            **changes,
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def written_files(copy: Path) -> dict[str, str]:
    return {
        path.relative_to(copy).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in copy.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def before_and_after(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[dict[str, str], Path]:
    """What was in a copy of the project before the additions, and the copy after them."""
    copy = tmp_path_factory.mktemp("additions") / "copy"
    copy.mkdir()
    skipped = shutil.ignore_patterns("__pycache__", ".hypothesis")
    for name in ("src", "tests", "docs", "changelog.d"):
        shutil.copytree(ROOT / name, copy / name, ignore=skipped)
    for name in ("pyproject.toml", ".env.example"):
        shutil.copy(ROOT / name, copy)
    before = written_files(copy)
    for name, text in ADDED.items():
        (copy / name).write_text(text, encoding="utf-8")
    generated = run(copy, "-m", "sourcewright.cli.gen", "--root", str(copy))
    assert generated.returncode == 0, generated.stderr
    return before, copy


@pytest.fixture
def copy(before_and_after: tuple[dict[str, str], Path]) -> Path:
    return before_and_after[1]


@pytest.mark.promise("house.additions-edit-nothing")
def test_only_generated_files_change(before_and_after: tuple[dict[str, str], Path]) -> None:
    before, copy = before_and_after
    after = written_files(copy)

    edited = {name for name, digest in before.items() if after.get(name) != digest}

    assert after.keys() - before.keys() == ADDED.keys()
    assert {name for name in edited if not name.startswith(GENERATED)} == set()
    assert edited


def test_discovery_and_the_manifest_see_them(copy: Path) -> None:
    code = (
        "import json, sys\n"
        "from sourcewright import providers, tools\n"
        "from sourcewright.world import sites\n"
        "found = [*providers.discover(), *tools.discover(), *sites.discover()]\n"
        "sys.stdout.write(json.dumps(found))"
    )

    done = run(copy, "-c", code)
    manifest = json.loads((copy / "src/sourcewright/manifest.json").read_bytes())

    assert {"almanac", "doiget_almanac", "api.almanac.example"} <= set(json.loads(done.stdout))
    assert "almanac" in {provider["name"] for provider in manifest["providers"]}
    assert "doiget_almanac" in {tool["name"] for tool in manifest["tools"]}
    assert OPTION in {env for option in manifest["options"] for env in option["env"]}


def test_the_pages_and_the_example_environment_name_them(copy: Path) -> None:
    reference = copy / "docs" / "reference"

    assert "The Almanac" in (reference / "providers.md").read_text(encoding="utf-8")
    assert "doiget_almanac" in (reference / "tools.md").read_text(encoding="utf-8")
    assert OPTION in (reference / "settings.md").read_text(encoding="utf-8")
    assert OPTION in (copy / ".env.example").read_text(encoding="utf-8")


def test_the_settings_know_the_new_option_and_hide_its_secret(copy: Path) -> None:
    here = run(copy, "-m", "sourcewright", "config", "show", **{OPTION: "hush-hush-hush"})
    home = {"HOME": str(copy.parent / "home")}
    unadded = run(ROOT, "-m", "sourcewright", "config", "show", **{OPTION: "hush"}, **home)

    assert here.returncode == 0, here.stderr
    assert OPTION in here.stdout
    assert "hush-hush-hush" not in here.stdout
    assert unadded.returncode != 0
    assert OPTION in unadded.stderr


def test_the_new_tool_is_a_command(copy: Path) -> None:
    done = run(copy, "-m", "sourcewright", "tool", "doiget_almanac", "--days", "3", "--json")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"ok": True, "days": 3}


def test_the_contracts_run_over_them_and_hold(copy: Path) -> None:
    done = run(copy, "-m", "pytest", "-n0", "-q", "tests/contracts", "-k", WHICH, "-rA")

    assert done.returncode == 0, done.stdout[-4000:]
    assert "[almanac-locate_doi" in done.stdout


def test_the_import_contracts_and_generated_files_hold(copy: Path) -> None:
    linted = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=copy,
        env={"PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    checked = run(copy, "-m", "sourcewright.cli.gen", "--check", "--root", str(copy))

    assert linted.returncode == 0, linted.stdout
    assert checked.returncode == 0, checked.stdout
