"""Every import contract holds here, and breaks when its violation is planted in a copy."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRACTS: dict[str, str] = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
}

VIOLATIONS = {
    "layers": ("base/works.py", "import sourcewright.net.http.client"),
    "providers": ("providers/crossref.py", "import sourcewright.providers.datacite"),
    "tools": ("tools/doiget_health.py", "import sourcewright.tools.doiget_resolve_paper"),
    "sites": ("world/sites/crossref.py", "import sourcewright.world.sites.datacite"),
    "cycles": ("base/errors.py", "import sourcewright.base.identifiers"),
    "wiring": ("tools/_base.py", "import sourcewright.wiring"),
    "settings": ("services/research.py", "import sourcewright.settings"),
    "settings-below": ("settings/table.py", "import sourcewright.stores.files"),
    "world-inside": ("world/faults.py", "import sourcewright.base.errors"),
    "world-outside": ("services/providers.py", "import sourcewright.world.internet"),
    "http": ("providers/crossref.py", "import httpx2"),
    "mcp": ("tools/_pipeline.py", "import mcp_types"),
    "cli-without-mcp": ("cli/tool_calls.py", "import sourcewright.server.stdio.frames"),
    "terminal": ("services/instance/health.py", "import rich.console"),
    "http-app": ("server/backend.py", "import starlette"),
    "metrics": ("web/health.py", "import prometheus_client"),
    "readers": ("reading/formats/text.py", "import sourcewright.reading.formats.data"),
    "reading-processes": ("reading/formats/data.py", "import sourcewright.reading.worker.pool"),
    "documents": ("services/instance/doctor.py", "import pypdfium2"),
    "pydantic": ("domain/options.py", "import pydantic"),
    "sealing": ("stores/keyvalue/disk.py", "import cryptography"),
    "bibliographies": ("base/formats/digests.py", "import bibtexparser"),
}

ALONE = ["providers", "world-inside"]
"""Violations that concern one contract only, so that no other one may break."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=skipped)
    return tmp_path


def plant(copy: Path, contract: str) -> None:
    module, line = VIOLATIONS[contract]
    with (copy / "src" / "sourcewright" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")


def broken_contracts(copy: Path) -> set[str]:
    """The ids of the contracts that a copy breaks, as the linter reports them."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=copy,
        env={"PYTHONPATH": str(copy / "src"), "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    verdicts = {
        name: verdict
        for line in done.stdout.splitlines()
        for name, verdict in re.findall(r"^(.+?) (KEPT|BROKEN)", line)
    }
    assert verdicts.keys() == set(CONTRACTS.values()), done.stdout + done.stderr
    assert done.returncode == ("BROKEN" in verdicts.values())
    return {key for key, name in CONTRACTS.items() if verdicts[name] == "BROKEN"}


def test_every_contract_has_a_violation_to_prove_it() -> None:
    assert VIOLATIONS.keys() == CONTRACTS.keys()


def test_every_contract_is_kept(copy: Path) -> None:
    assert broken_contracts(copy) == set()


def test_every_contract_breaks_when_its_violation_is_planted(copy: Path) -> None:
    for contract in VIOLATIONS:
        plant(copy, contract)

    assert broken_contracts(copy) == CONTRACTS.keys()


@pytest.mark.parametrize("contract", ALONE)
def test_one_violation_breaks_its_own_contract_and_no_other(copy: Path, contract: str) -> None:
    plant(copy, contract)

    assert broken_contracts(copy) == {contract}


def test_a_new_folder_must_choose_its_layer(copy: Path) -> None:
    (copy / "src" / "sourcewright" / "gadgets").mkdir()
    (copy / "src" / "sourcewright" / "gadgets" / "__init__.py").touch()

    assert broken_contracts(copy) == {"layers"}


def test_readers_and_tools_have_few_exceptions() -> None:
    """With many, a contract of independence says nothing any more."""
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = rules["tool"]["importlinter"]["contracts"]

    exceptions = [
        line
        for contract in contracts
        if contract["id"] in {"readers", "tools"}
        for line in contract["ignore_imports"]
    ]

    assert len(exceptions) <= 10
