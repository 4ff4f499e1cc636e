"""Every reader is asked: the kinds that it accepts are recognised in documents."""

import ast
import importlib
import pkgutil
from pathlib import Path

from sourcewright.base.formats import media_types
from sourcewright.reading import formats


def recognised_kinds() -> set[str]:
    """The texts in the module that recognises kinds, without its docstrings."""
    tree = ast.parse(Path(media_types.__file__).read_text(encoding="utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_kind_of_a_reader_is_recognised() -> None:
    names = [one.name for one in pkgutil.iter_modules(formats.__path__)]
    modules = [importlib.import_module(f"{formats.__name__}.{name}") for name in names]
    kinds = {module.__name__: set(getattr(module, "KINDS", ())) for module in modules}

    recognised = recognised_kinds()

    assert sum(map(len, kinds.values())) > 10
    assert {name: some - recognised for name, some in kinds.items() if some - recognised} == {}
