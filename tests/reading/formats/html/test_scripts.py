"""Pages of our own making in six scripts: the article is read, and its navigation is not."""

import re
from collections import Counter
from pathlib import Path

import pytest

from sourcewright.reading.formats.html import read_html

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


LINES = (PAGES / "zh.txt").read_text(encoding="utf-8").split("\n")
*PARAGRAPHS, OTHER = [line.strip() for line in LINES if len(line) > 50][-4:]


def card(number: int) -> str:
    return (
        f"<div class=k1><h3><a href=/n{number}>第{number}届运动会昨日开幕选手入场</a></h3>"
        f"<div class=k2><a href=/c{number}>新闻体育</a></div><div class=k3>晨报</div>"
        "<div class=k4>五小时前</div></div>"
    )


def test_a_text_is_read_whose_element_has_many_more_links():
    text = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    page = (
        "<html lang=zh><title>图书馆延长开放时间</title><body><div class=area><div class=left>"
        f"<h1>图书馆延长开放时间</h1><div class=text>{text}</div>"
        f"<div class=more>{''.join(map(card, range(40)))}</div></div></div>"
        f"<div class=next><p>{OTHER}</p></div></body></html>"
    )

    content = read_html(page, url="https://example.org/a/1").content

    assert all(paragraph in content for paragraph in PARAGRAPHS)


def test_a_paragraph_without_spaces_counts_as_more_than_a_line():
    """A whole paragraph is one word between spaces, and so was each of the lines around it."""
    lines = "".join(f"<li>第{at}号 编辑部</li>" for at in range(40))
    text = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    page = (
        "<html lang=zh><title>图书馆延长开放时间</title><body>"
        f"<div class=text><h1>图书馆延长开放时间</h1>{text}</div><aside>{lines}</aside>"
        "</body></html>"
    )

    content = read_html(page, url="https://example.org/a/1").content

    assert all(paragraph in content for paragraph in PARAGRAPHS)
    assert "编辑部" not in content


def test_a_dated_text_in_another_script_is_an_article_without_an_author():
    text = "".join(f"<p>{paragraph}</p>" for paragraph in [*PARAGRAPHS, OTHER] * 2)
    page = (
        "<html lang=zh><title>老码头重新开放</title><body><div class=area><h1>老码头重新开放</h1>"
        f"<div>2026-11-17 10:04</div><div class=text>{text}</div>"
        "<div class=k5><div>本网站的其他栏目</div><div>关注我们的公众号</div></div></div></body></html>"
    )

    content = read_html(page, url="https://example.org/a/1").content

    assert all(paragraph in content for paragraph in PARAGRAPHS)
    assert "10:04" not in content
    assert "公众号" not in content
