"""Files are found by their noun, and one thing has one name everywhere."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sourcewright"
EMPTY_WORDS = {
    *("utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"),
    *("handler", "handlers", "core", "tools_new", "stuff", "lib", "shared"),
}
PROVIDERS = {
    path.stem for path in (SOURCE / "providers").glob("*") if not path.name.startswith("_")
}
LAYERS = ("base", "reading", "references", "services", "stores", "tools")
NOUNS_IN_ING = {"ranking", "scoring", "pacing", "booking"}
HOMES = {"providers", "sites"}
# Names of values and functions are nouns, or verbs for what a function does. These say neither
# what a value is nor what a function returns.
VAGUE_NAMES = {
    *("told", "said", "asked", "heard", "meant", "wanted", "about", "complaint", "settle"),
    *("looked", "landed", "honoured", "unasked"),
}
WIRE_NAMES = {"tools/_failures/paper.py::said"}  # a field of a published answer
# Nothing at all is named by one of these: no variable, parameter, attribute or keyword either.
REFUSED_NAMES = {"asked", "heard", "meant", "said", "told", "unasked", "unheard", "wanted"}
# In the sources, no variable and no parameter is named by one of these either. A field of a
# published or stored record may be, and so may a constant.
REFUSED_VARIABLES = {"found", "held", "kept", "made", "named", "shown", "stated"}
WIRE_ATTRIBUTES = {
    "src/sourcewright/tools/_failures/paper.py",
    "src/sourcewright/tools/paper_download.py",
}
"""These read or write the field `said` of a published answer."""
PARTICIPLES = re.compile(
    r"(?:[A-Z][a-z]*ed|Found|Given|Heard|Held|Known|Made|Meant|Said|Seen|Taken|Told)"
)
# Errors are named by what happened. The others are response models, whose names are published.
ADJECTIVES = {
    *("Cached", "Controlled", "Deflated", "Denied", "Described", "Planned", "Refused"),
    *("Unresolved", "Unsupported"),
}
NOUNS_IN_ED = {"Fred", "Seed"}
# Each of these once named several ideas.
ONE_IDEA = {
    *("Archive", "Batch", "Candidate", "Case", "Colour", "DescribedWorks", "Evidence"),
    *("FetchesFiles", "Gap", "Graph", "Head", "Identity", "Lens", "Limits", "Line", "Link"),
    *("Node", "NoticeCheck", "Page", "Place", "Report", "Request", "SearchAnswer", "Source"),
    *("Standing", "Step", "Style", "Tally", "Title", "Version", "Wanted"),
}
# Wire models and results of the client have published names; the simulated world must not know ours.
SEPARATE_LAYERS = {"client", "tools", "world"}
SITES = {path.stem for path in (SOURCE / "world" / "sites").glob("*.py")}
TOOLS = {path.stem for path in (SOURCE / "tools").glob("*.py") if not path.name.startswith("_")}


def names_in(folder: Path, pattern: str = "*.py") -> set[str]:
    return {path.stem for path in folder.rglob(pattern)}


@cache
def modules() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """By module: the names that it defines, and those of its classes. Parsing takes seconds."""
    names = {}
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        defined = frozenset(defined_names(tree)), frozenset(class_names(tree))
        names[path.relative_to(SOURCE).as_posix()] = defined
    return names


def defined_names(tree: ast.Module) -> Iterator[str]:
    """The names of functions, classes and fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            )


def all_names(tree: ast.Module) -> Iterator[str]:
    """The names of everything that a module binds, defines, or reads as an attribute."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case (
                ast.ClassDef(name=name)
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                yield name
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name


def refused_names(source: str) -> set[str]:
    named = (name.strip("_").lower() for name in all_names(ast.parse(source)))
    return REFUSED_NAMES.intersection(named)


def refused_variables(source: str) -> set[str]:
    """The variables and parameters of functions that a participle names; fields are not."""
    tree, names = ast.parse(source), set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for node in ast.walk(function):
                match node:
                    case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                        names.add(name)
                    case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                        names.add(name)
    return REFUSED_VARIABLES.intersection(names)


def class_names(tree: ast.Module) -> set[str]:
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def test_no_module_has_a_name_that_says_nothing() -> None:
    named = {path.stem for path in SOURCE.rglob("*") if path.suffix in {"", ".py"}}
    upstreams = PROVIDERS & SITES  # one of them is called CORE

    assert (named - upstreams) & EMPTY_WORDS == set()
    assert [path for path in SOURCE.rglob("core.py") if path.parent.name not in HOMES] == []
    assert {
        name for name in named if name.endswith(("_new", "_old", "_v2", "_refactored"))
    } == set()


def test_modules_are_named_by_their_subject_and_not_by_an_activity() -> None:
    named = {path.stem for layer in LAYERS for path in (SOURCE / layer).rglob("*.py")}

    assert {name for name in named if name.endswith("ing")} - NOUNS_IN_ING == set()


def test_nothing_is_named_by_a_word_that_does_not_say_what_it_is() -> None:
    vague = {
        f"{module}::{name}"
        for module, (defined, _) in modules().items()
        for name in defined
        if name.strip("_").lower() in VAGUE_NAMES
    }

    assert vague - WIRE_NAMES == set()


def test_no_variable_parameter_or_attribute_is_named_by_a_participle() -> None:
    refused = {}
    for folder in ("src", "tests", "bench"):
        for path in (ROOT / folder).rglob("*.py"):
            place = path.relative_to(ROOT).as_posix()
            names = refused_names(path.read_text(encoding="utf-8"))
            if names and not (names == {"said"} and place in WIRE_ATTRIBUTES):
                refused[place] = names

    assert refused == {}


def test_no_variable_of_a_function_is_named_by_what_was_done_to_its_value() -> None:
    refused = {}
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE).as_posix()
        names = refused_variables(path.read_text(encoding="utf-8"))
        if names:
            refused[place] = names

    assert refused == {}


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n    kept = 1",
        "def f():\n    kept: int = 1",
        "async def f(kept): pass",
        "lambda kept: 1",
        "def f():\n    return [kept for kept in ()]",
        "def f():\n    if (kept := 1): pass",
        "def f():\n    match 1:\n        case kept: pass",
    ],
)
def test_a_participle_as_a_variable_is_noticed_wherever_it_is_bound(source: str) -> None:
    assert refused_variables(source) == {"kept"}


@pytest.mark.parametrize("source", ["class A:\n    kept: int", "KEPT = 1", "a.kept", "f(kept=1)"])
def test_a_field_that_is_published_may_have_its_name(source: str) -> None:
    assert refused_variables(source) == set()


@pytest.mark.parametrize(
    "source",
    [
        "told = 1",
        "for told in (): pass",
        "[told] = [1]",
        "def f(told): pass",
        "def f(**told): pass",
        "lambda told: 1",
        "def told(): pass",
        "async def _told(): pass",
        "class Told: pass",
        "TOLD = 1",
        "one.told = 1",
        "f(told=1)",
        "import a as told",
        "with a as told: pass",
        "if (told := 1): pass",
        "match 1:\n    case told: pass",
        "try: pass\nexcept OSError as told: pass",
    ],
)
def test_a_participle_as_a_name_is_noticed_wherever_it_is_bound(source: str) -> None:
    assert refused_names(source) == {"told"}


def test_classes_are_named_by_nouns_and_not_by_participles() -> None:
    named = {name.strip("_") for _, classes in modules().values() for name in classes}

    assert {
        name for name in named if PARTICIPLES.fullmatch(name)
    } - ADJECTIVES - NOUNS_IN_ED == set()


def test_one_class_name_stands_for_one_idea() -> None:
    homes = defaultdict(set)
    for module, (_, classes) in modules().items():
        if module.partition("/")[0] not in SEPARATE_LAYERS:
            for name in classes:
                homes[name].add(module)

    assert {name: homes[name] for name in ONE_IDEA if len(homes[name]) > 1} == {}


def test_every_provider_has_a_simulated_site_and_a_test_of_its_name() -> None:
    assert PROVIDERS - names_in(SOURCE / "world" / "sites") == set()
    assert {f"test_{name}" for name in PROVIDERS} - names_in(ROOT / "tests" / "providers") == set()


def test_every_tool_has_a_test_of_its_name() -> None:
    assert {f"test_{name}" for name in TOOLS} - names_in(ROOT / "tests" / "tools") == set()


def test_test_names_are_sentences() -> None:
    short = {
        f"{path.relative_to(ROOT).as_posix()}::{node.name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and node.name.count("_") < 3
    }

    assert short == set()
