"""The trees of the page classifier, and the blocks that it counts the words of."""

import json
from math import log

import pytest

from sourcewright.reading.html.blocks import blocks_of
from sourcewright.reading.html.classifier import classify_blocks, parse_model
from sourcewright.reading.html.document import body_of, parse_html
from sourcewright.reading.html.features import PageHints, words_at_start
from sourcewright.reading.html.neighbours import WordScorer


def model_of(*trees):
    return parse_model(json.dumps({"words": {}, "bias": 0.5, "trees": trees}).encode())


def test_each_row_gets_the_sum_of_the_leaves_that_it_reaches():
    nested = [2, 0.5, [0, 1.0, 0.1, 0.2], [0, 3.0, 0.3, [1, -1.0, 0.4, 0.5]]]
    model = model_of(nested, 10.0, [1, 0.0, -100.0, 100.0])

    assert model.sum_of_trees(
        [[1.0, 0.0, 0.5], [1.5, 0.25, 0.5], [3.0, 1.0, 0.75], [4.0, -1.0, 9.0], [4.0, -0.5, 9.0]]
    ) == pytest.approx([-89.9, 110.2, 110.3, -89.6, -89.5])


def test_features_that_no_tree_compares_may_follow():
    assert model_of([0, 1.0, 2.0, 3.0]).sum_of_trees([[1.0, 7.0, 8.0], [1.1, 7.0, 8.0]]) == [2, 3]


@pytest.mark.parametrize(
    "tree", ["print()", ["print()", 1.0, 0.0, 0.0], [0, "print()", 0.0, 0.0], [0, 1.0, [], 0.0]]
)
def test_a_model_with_anything_but_numbers_in_its_trees_is_refused(tree):
    with pytest.raises(ValueError):
        model_of(tree)


@pytest.mark.parametrize(
    "markup",
    [
        "<p> Two\n\n words\u2028and&nbsp; more&emsp;\t<b> bold </b> \u3000 text </p>",
        "<pre>  one\n    two\u00a0 \n\n three </pre>",
        "<table><tr><td> a <td>b\n\nc <tr><td> d <td> e <tr><td>f<td>g</table>",
        "<p><img alt=' a  b '></p><p>&#x200b; x &#x200b; y</p>",
    ],
)
def test_words_of_a_block_are_separated_by_single_spaces(markup):
    blocks, _, _ = blocks_of(body_of(parse_html(markup)))

    assert blocks
    assert [block.text for block in blocks] == [" ".join(block.text.split()) for block in blocks]


@pytest.mark.parametrize(("declares_article", "kept"), [(True, 1), (False, 2)])
def test_a_doubtful_block_is_kept_unless_an_article_is_declared(declares_article, kept):
    sure, doubtful = (
        " ".join(f"{word}{n}" for n in range(300)) for word in ("boat", "lighthouse")
    )
    markup = f"<main><p>{sure}</p></main><footer><p>{doubtful}</p></footer>"
    blocks, places, _ = blocks_of(body_of(parse_html(markup)))
    hints = PageHints(frozenset(), frozenset(), (0.0,) * 40, declares_article=declares_article)
    # The first feature is the logarithm of the length.
    model = model_of([0, log(3000), 5.0, 0.7])

    assert sum(classify_blocks(blocks, places, hints, model)) == kept


def test_the_score_of_words_is_the_same_in_every_order():
    lines = [[f"{word}{number}" for word in ("oak", "elm", "ash")] for number in range(20)]
    weights = (1e16, 1.0, -1e16)
    words = {
        f"w:{word}": weight for line in lines for word, weight in zip(line, weights, strict=True)
    }
    blocks, _, _ = blocks_of(body_of(parse_html("".join(f"<p>{' '.join(one)}" for one in lines))))

    starts = [words_at_start(block.text) for block in blocks]

    assert WordScorer(words).scores(blocks, starts) == [1.0] * len(lines)
