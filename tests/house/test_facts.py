"""A fact is stated once: no pattern of a thing that another module owns is written again."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "sourcewright"
OWNERS = {
    "base/doi_prefix.py": re.compile(r"10\\\.(?:\[0-9\]|\\[dS])"),
}
"""By module: the shape of a regular expression that no other module has."""


def texts(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


@pytest.mark.parametrize("owner", OWNERS)
def test_a_pattern_has_one_owner(owner: str) -> None:
    homes = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if any(map(OWNERS[owner].search, texts(path)))
    }

    assert {home for home in homes if not home.startswith("world/")} == {owner}
