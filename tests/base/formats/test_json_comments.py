"""JSON with comments is changed in one place, and everything else stays as it was written."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sourcewright.base.formats.json_comments import JsonSyntaxError, parse_json, set_json_value

PATH = ("servers", "ours")
ENTRY = {"command": "/opt/ours", "args": ["serve"]}

ZED = """\
// Settings of the editor
{
    "theme": "One \\"Dark\\" // not a comment", /* a block, with "quotes" */
    "tabs": [1, 2, /* three */],
    "servers": {
        // the first server
        "theirs": {"command": "x"}, // its comment
    },
    "last": true, // a trailing comma follows the rules of the editor
}
// the end
"""


def test_a_member_is_added_and_every_comment_stays_where_it_was():
    changed = set_json_value(ZED, PATH, ENTRY)

    before, after = ZED.splitlines(), changed.splitlines()
    assert [line for line in after if line in before] == before
    assert parse_json(changed, comments=True)["servers"] == {
        "theirs": {"command": "x"},
        "ours": ENTRY,
    }
    assert after.index('        "ours": {') == after.index("    },") - 4
    assert '            "args": ["serve"]' in after


def test_setting_the_same_value_again_changes_nothing():
    once = set_json_value(ZED, PATH, ENTRY)

    assert set_json_value(once, PATH, ENTRY) == once


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '{\n  "servers": {\n    "ours": 1\n  }\n}\n'),
        ("{}", '{\n  "servers": {\n    "ours": 1\n  }\n}'),
        ("// only a comment\n", None),
        ('{"a": 1}', '{"a": 1,\n  "servers": {\n    "ours": 1\n  }\n}'),
        ('{"servers": {}}', '{"servers": {\n  "ours": 1\n}}'),
        (
            '{\r\n\t"a": 1\r\n}\r\n',
            '{\r\n\t"a": 1,\r\n\t"servers": {\r\n\t\t"ours": 1\r\n\t}\r\n}\r\n',
        ),
        ('{\n  "a": 1 // why\n}', '{\n  "a": 1, // why\n  "servers": {\n    "ours": 1\n  }\n}'),
        ('{\n  "a": 1 /* two\n lines */\n}', None),
        ('{ "a": 1, /* c */ }', None),
        ("{ // nothing yet\n}", None),
        ('\ufeff{"a": 1}', None),
        ('{"servers": {"ours": {"args": [1,\n 2]}}}', '{"servers": {"ours": 1}}'),
        ('{"servers": {"ours": 2}, "servers": {"ours": 3}}', None),
    ],
)
def test_files_in_many_forms_are_changed(text, expected):
    changed = set_json_value(text, PATH, 1)

    assert expected in {None, changed}
    assert parse_json(changed, comments=True)["servers"]["ours"] == 1
    for comment in (
        "// only a comment",
        "// why",
        "/* two\n lines */",
        "/* c */",
        "// nothing yet",
    ):
        assert (comment in text) == (comment in changed)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,,}', "line 1"),
        ('{\n  /* two\n lines */ "a": oops\n}', "line 3, column 16"),
        ('{"a": "never closed}', "line 1"),
        ("{} /* never closed", "line 1"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_parsed_is_refused_with_its_place(text, place):
    with pytest.raises(JsonSyntaxError, match=place):
        set_json_value(text, PATH, 1)


def test_comments_are_refused_where_the_client_would_not_read_them():
    with pytest.raises(JsonSyntaxError, match="line 1"):
        parse_json(ZED, comments=False)
    with pytest.raises(JsonSyntaxError, match=r"line [12]"):
        parse_json('{"a": 1,\n}', comments=False)


@pytest.mark.parametrize(("text", "what"), [("[1]", "the file"), ('{"servers": []}', "servers")])
def test_a_path_through_something_else_is_refused(text, what):
    with pytest.raises(ValueError, match=f"{what} is not an object"):
        set_json_value(text, PATH, 1)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.text(), VALUES)


@given(
    OBJECTS,
    st.sampled_from([None, 0, 2, "\t"]),
    st.lists(st.text(), min_size=1, max_size=3),
    VALUES,
)
def test_any_object_gets_the_value_and_keeps_the_rest(content, indent, path, value):
    text = json.dumps(content, indent=indent)
    inner = content
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
        assume(isinstance(inner, dict))
    inner[path[-1]] = value

    changed = set_json_value(text, tuple(path), value)

    assert json.loads(changed) == content
