"""A sample of the article pages of the bench: six languages, precision above its floor."""

import pytest

from article_pages import LANGUAGES, TEMPLATES, make_page
from articles import FLOOR, read, score

SAMPLE = [
    (template, LANGUAGES[at % len(LANGUAGES)])
    for at, template in enumerate((*TEMPLATES, *TEMPLATES))
]


@pytest.fixture(scope="module")
def scores():
    pages = [make_page(template, language, seed=7) for template, language in SAMPLE]
    return {page.name: score(read(page), page) for page in pages}


def test_little_but_the_article_is_read_in_any_language(scores):
    mean = sum(score.precision for score in scores.values()) / len(scores)

    assert mean >= FLOOR
    assert {name: score for name, score in scores.items() if score.precision < 0.9} == {}


def test_nothing_of_the_article_is_lost(scores):
    assert {name: score for name, score in scores.items() if score.recall < 0.95} == {}
