"""Pages of our own making in six scripts: the article is read, and its navigation is not."""

import re
from collections import Counter
from pathlib import Path

import pytest

from sourcewright.readers.formats.html import read_html

PAGES = Path(__file__).with_name("scripts")
PRECISION, RECALL = 0.94, 0.99
"""Floors by characters, since not every script separates words; bylines are not in the truth."""


def characters(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w", text.lower()))


@pytest.mark.parametrize("language", ["ar", "hi", "ja", "ko", "ru", "zh"])
def test_articles_in_each_script_are_read_without_their_navigation(language):
    page = (PAGES / f"{language}.html").read_text(encoding="utf-8")
    truth = characters((PAGES / f"{language}.txt").read_text(encoding="utf-8"))

    content = read_html(page, url="https://example.org/").content
    found = characters(re.sub(r"\]\([^)]*\)", " ", content))

    common = (found & truth).total()
    assert common / found.total() >= PRECISION
    assert common / truth.total() >= RECALL


def test_a_list_of_links_is_read_where_there_is_no_article():
    titles = [
        "Новый терминал аэропорта",
        "Библиотека будет работать дольше",
        "Электробусы выйдут на маршруты",
    ]
    links = "".join(f"<li><a href=/n{at}>{title}</a></li>" for at, title in enumerate(titles * 4))

    content = read_html(
        f"<html lang=ru><title>Новости</title><body><main><h1>Новости</h1><ul>{links}</ul></main></body></html>",
        url="https://example.org/",
    ).content

    assert all(title in content for title in titles)
