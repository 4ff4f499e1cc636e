"""Which thing the linked data of a page describes."""

import json

import pytest

from sourcewright.reading.html.linked_data import main_objects, type_names


def test_things_in_a_graph_are_found_and_mentioned_ones_are_not():
    script = json.dumps(
        {
            "@context": "https://schema.org",
            "@graph": [
                {"@type": "WebSite", "name": "site"},
                {"@type": ["schema:NewsArticle"], "author": {"@type": "Person", "name": "x"}},
            ],
        }
    )

    kinds = [set(type_names(node)) for node in main_objects(script)]

    assert kinds == [set(), {"website"}, {"newsarticle"}]


@pytest.mark.parametrize("script", ["", "{", "7", '"text"', "[" * 20_000, "[[[]]]"])
def test_a_block_that_is_about_nothing_has_no_things(script):
    assert list(main_objects(script)) == []


def test_endless_data_ends_at_a_limit():
    script = json.dumps([{"@type": "Thing"}] * 5_000)

    assert 0 < len(list(main_objects(script))) <= 500
