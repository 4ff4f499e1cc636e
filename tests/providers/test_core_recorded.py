"""CORE, over every recorded answer."""

import json

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.providers.core import read_answer, read_work

pytestmark = pytest.mark.anyio

HOST = "api.core.ac.uk"
ELDER = "api-v2-"
"""Answers of the interface before this one, which said everything differently."""


def answer_in(file):
    return json.loads(file.read_text(encoding="utf-8"))


def test_every_recorded_paper_is_read_as_the_table_says(recorded, table, summary):
    files = [file for file in recorded("core") if not file.name.startswith(ELDER)]

    rows = summary((file, map(read_work, answer_in(file)["results"])) for file in files)

    assert rows == table("core")


def test_a_recorded_paper_has_its_copy_and_its_arxiv_id(recorded):
    [file] = [file for file in recorded("core") if not file.name.startswith(ELDER)]
    answer = answer_in(file)

    [work] = read_answer(answer, "10.1109/ICASSP.2019.8683483")

    assert [(copy.url, copy.is_pdf) for copy in work.copies] == [
        ("http://arxiv.org/abs/1904.10788", False)
    ]
    assert (work.arxiv_id, work.published) == ("1904.10788", "2019-05-09")
    assert work.authors[0].family == "Byun"


def test_a_list_cut_short_is_no_absence(recorded):
    [file] = [file for file in recorded("core") if not file.name.startswith(ELDER)]

    with pytest.raises(ValueError):
        read_answer(answer_in(file), "10.5555/other")


async def test_answers_of_the_elder_interface_are_not_read(recorded, provide, internet):
    core = await provide("core")
    others = [file for file in recorded("core") if file.name.startswith(ELDER)]

    for file in others:
        internet.mends()
        internet.says(HOST, answer_in(file))

        with pytest.raises(BadAnswer):
            await core.find_copies("10.1186/1471-2458-6-309")

    assert len(others) == 6
