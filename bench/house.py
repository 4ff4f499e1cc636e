"""Figures of the source tree: modules, lines, small helpers used once, modules with one importer.

Run it on a checkout: `python bench/house.py [CHECKOUT]`.
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

SMALL_FUNCTION = 3
"""Lines of code of a helper that a name hardly shortens."""
SMALL_MODULE = 60
Function = ast.FunctionDef | ast.AsyncFunctionDef


def names_used(tree: ast.AST) -> Counter[str]:
    return Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )


def code_lines(function: Function) -> int:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def imports(tree: ast.AST, modules: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sourcewright"):
            base = (node.module or "").removeprefix("sourcewright").lstrip(".")
            for alias in node.names:
                whole = f"{base}.{alias.name}".lstrip(".")
                yield whole if whole in modules else base


def main(checkout: Path) -> None:
    source = checkout / "src" / "sourcewright"
    paths = {
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(source.rglob("*.py"))
    }
    texts = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    lines = {name: len(text.splitlines()) for name, text in texts.items()}
    importers: defaultdict[str, set[str]] = defaultdict(set)
    functions = once = crumbs = 0
    for name, text in texts.items():
        tree = ast.parse(text)
        for one in imports(tree, set(paths)):
            importers[one].add(name)
        used = names_used(tree)
        for node in ast.walk(tree):
            if isinstance(node, Function):
                functions += 1
                private = node.name.startswith("_") and not node.name.startswith("__")
                if private and used[node.name] == 1:
                    once += 1
                    crumbs += code_lines(node) <= SMALL_FUNCTION
    comments = sum(
        line.lstrip().startswith("#") for text in texts.values() for line in text.splitlines()
    )
    small = [name for name in paths if lines[name] <= SMALL_MODULE and len(importers[name]) == 1]
    total = sum(lines.values())
    print(f"modules                               {len(paths):>8,}")
    print(f"lines                                 {total:>8,}")
    print(f"functions                             {functions:>8,}")
    print(f"private functions used once           {once:>8,}  {once / functions:.1%}")
    print(f"  of them with at most {SMALL_FUNCTION} lines        {crumbs:>8,}")
    print(f"modules of at most {SMALL_MODULE} lines, one importer {len(small):>5,}")
    print(f"lines of comment                      {comments:>8,}  {comments / total:.1%}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1])
