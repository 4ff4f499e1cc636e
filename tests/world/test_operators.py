"""Operators inside a query, as the world's engines read them."""

from sourcewright.world import operators
from sourcewright.world.operators import ParsedQuery


def test_a_query_is_taken_apart():
    outcome = operators.read(
        'sea otter "kelp forests" -urchins (site:a.example OR site:b.example/x)'
    )

    assert outcome == ParsedQuery(
        words="sea otter kelp forests",
        phrases=("kelp forests",),
        excluded=("urchins",),
        sites=("a.example", "b.example/x"),
    )


def test_a_hyphen_inside_a_word_excludes_nothing():
    assert operators.read("state-of-the-art").excluded == ()


def test_a_phrase_must_be_there_and_an_excluded_word_must_not():
    everything = operators.search("web", "otter")

    assert everything
    assert operators.search("web", 'otter "kelp forests"') == everything
    assert operators.search("web", 'otter "forests kelp"') == []
    assert operators.search("web", "otter -kelp") == []


def test_a_site_holds_every_hit():
    everything = operators.search("web", "otter")
    [first, *others] = sorted({item.host for item in everything})

    found = operators.search("web", f"otter site:{first}")

    assert others
    assert {item.host for item in found} == {first}
