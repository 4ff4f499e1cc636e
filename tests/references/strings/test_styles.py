"""Citation strings in styles of law, physics, Russia and China, and as a PDF breaks them."""

import unicodedata

import pytest

from sourcewright.references.strings.reference import read_reference


def parts(text):
    read = read_reference(text)
    families = [author.family or author.name for author in read.authors]
    return families, read.title, read.venue, read.year, read.volume, read.issue, read.pages


WAVES = (["Lee", "Dupont"], "Waves in harbours", "Journal of Water", 2014, "79", "2", "12-25")
"""What all of these say."""


@pytest.mark.parametrize(
    "text",
    [
        "{full}, \u201cWaves in harbours,\u201d Journal of Water 79, no. 2 (2014): 12-25, {link}.",
        "{full}, \u201dWaves in harbours,\u201d Journal of Water 79, no. 2 (2014): 12-25.",
        "{last} Waves in harbours // Journal of Water. - 2014. - Vol. 79, No. 2. - P. 12-25.",
        "LEE A B, DUPONT J. Waves in harbours[J]. Journal of Water, 2014, 79(2): 12-25.",
        "{full}. 2014. Waves in harbours. Journal of Water 79, 2 (2014), 12-25.",
        "LEE, A. B. y DUPONT, J., 2014. Waves in harbours. Journal of Water, vol. 79, no. 2, pp. 12-25.",
        "Lee, A. B. e Dupont, J. (2014). Waves in harbours. Journal of Water, 79(2), 12-25.",
        "Lee, Ann B., e Jean Dupont. 2014. \u00abWaves in harbours\u00bb. Journal of Water 79 (2): 12-25.",
        "LEE, Ann; DUPONT, Jean. Waves in harbours. Journal of Water, v. 79, n. 2, p. 12-25, 2014.",
        "LEE, Ann et DUPONT, Jean, 2014. Waves in harbours. Journal of Water. 2014. Vol. 79, n\u00b0 2, pp. 12-25.",
        "Lee A, Dupont J, \u00ab Waves in harbours \u00bb, Journal of Water 79 (2), 2014, pp. 12-25.",
        "Lee, Ann ; Dupont, Jean: Waves in harbours. In: Journal of Water Bd. 79 (2014), Nr. 2, S. 12-25",
        "LEE, Ann ; DUPONT, Jean: Waves in harbours. In: Journal of Water 79 (2014), Nr. 2, S. 12-25",
        "Lee, Ann/Dupont, Jean (2014): Waves in harbours, in: Journal of Water, Jg. 79, Heft 2, S. 12-25.",
        "Lee AB & Dupont J 2014, 'Waves in harbours', *Journal of Water*, vol. 79, no. 2, pp. 12-25.",
        "Lee A. B. Waves in harbours / A. B. Lee, J. Dupont // Journal of Water. 2014. Vol. 79, No. 2. P. 12-25.",
        "- **{full}** (2014). *Waves in harbours*. **Journal of Water**, 79(2), 12-25. [{link}]({link})",
        '"Waves in harbours" by {full} \u2014 published in *Journal of Water* (2014), Volume 79, Issue 2, Pages 12-25',
        "See {full}, \u201cWaves in harbours,\u201d Journal of Water 79, no. 2 (2014): 12-25.",
        "Vgl. auch {last} Waves in harbours // Journal of Water. - 2014. - Vol. 79, No. 2. - P. 12-25.",
    ],
)
def test_one_article_in_many_styles(text):
    names = {"full": "Ann B. Lee and Jean-F. Dupont", "last": "Lee A. B., Dupont J.-F."}

    families, *others = parts(text.format(**names, link="https://doi.org/10.5555/w"))

    assert [name.title() for name in families] == WAVES[0]
    assert tuple(others) == WAVES[1:]


@pytest.mark.parametrize(
    ("text", "venue", "numbers"),
    [
        ("(2014) 79(2) Journal of Water 12", "Journal of Water", (2014, "79", "2", "12")),
        ("[2014] 79 M.L.R. 12, 15.", "M.L.R", (2014, "79", None, "12")),
    ],
)
def test_a_law_review_by_oscola_has_its_year_before_the_volume(text, venue, numbers):
    names, title, *others = parts(f"Ann Lee and Bo Berg, \u2018Waves in harbours\u2019 {text}")

    assert (names, title) == (["Lee", "Berg"], "Waves in harbours")
    assert (others[0], tuple(others[1:])) == (venue, numbers)


@pytest.mark.parametrize(
    "text",
    [
        "Roland et al. (2014), \u201cWaves in harbours\u201d, Journal of Water.",
        "Ann Roland et al., Waves in harbours, 79 HARV. L. REV. 12 (2014).",
    ],
)
def test_et_al_is_neither_a_name_nor_within_one(text):
    read = read_reference(text)

    assert [author.name.split()[-1] for author in read.authors] == ["Roland"]
    assert read.authors_truncated


@pytest.mark.parametrize(
    ("text", "authors", "title", "venue"),
    [
        (
            "Ann B. Lee & Bo Berg, Waves in harbours, 79 HARV. L. REV. 12 (2014).",
            ["Lee", "Berg"],
            "Waves in harbours",
            "HARV. L. REV",
        ),
        (
            "Ann B. Lee, Cy van der Meer & Bo Berg, Waves, 79 Yale L.J. 12, 15 (2014).",
            ["Lee", "van der Meer", "Berg"],
            "Waves",
            "Yale L.J",
        ),
        (
            "Ann Lee, Waves in harbours, 79 Yale L.J. 12 (2014).",
            ["Lee"],
            "Waves in harbours",
            None,
        ),
        (
            "Y. Lee, I. Ødegaard, and C. M. Berg, J. Am. Chem. Soc. 79, 12 (2014).",
            ["Lee", "Ødegaard", "Berg"],
            None,
            "J. Am. Chem. Soc",
        ),
        ("J. I. Lee, J. Soc. Policy 79, 12 (2014).", ["Lee"], None, "J. Soc. Policy"),
        (
            "Lee, B. & Dupont, J.-F. La mobilité en ville. Rev. Fr. Sociol. 79, 12 (2014).",
            ["Lee", "Dupont"],
            "La mobilité en ville",
            "Rev. Fr. Sociol",
        ),
        ("Lee, P. (2014). Tides. Annual Review of Water, 79, 12.", ["Lee"], "Tides", None),
        (
            "Lee JI. “Nothing about us”: a study of trust. J Soc Policy. 2014;79(2):12-25.",
            ["Lee"],
            "Nothing about us”: a study of trust",
            "J Soc Policy",
        ),
        (
            "И. И. Иванов, Ж. Я. Петрова, Квантовые флуктуации в плёнках, Успехи физ. наук 79 (2014) 12.",
            ["Иванов", "Петрова"],
            "Квантовые флуктуации в плёнках",
            "Успехи физ. наук",
        ),
        (
            "王小明, 李四. 潮汐混合的数值模拟[J]. 海洋学报, 2014, 79(2): 12-25.",
            ["王小明", "李四"],
            "潮汐混合的数值模拟",
            "海洋学报",
        ),
    ],
)
def test_the_parts_of_other_styles(text, authors, title, venue):
    families, read_title, read_venue, year, volume, _, pages = parts(text)

    assert families == authors
    assert read_title == title
    assert venue is None or read_venue == venue
    assert (year, volume) == (2014, "79")
    assert (pages or "").startswith("12")


ESTUARIES = (["Lee", "Dupont"], "Proceedings of the 3rd Conference on Estuaries", 2014, "12-25")
"""What all of these say of a paper at a conference."""


@pytest.mark.parametrize(
    "text",
    [
        "Lee A, Dupont J. Waves in harbours. {venue}. Lisbon, Portugal: Tidal Society; 2014. pp. 12-25.",
        "LEE, Ann; DUPONT, Jean. Waves in harbours. 2014. {venue} [...]. Online: Tidal Society, 2014. p. 12-25.",
        "LEE, Ann et DUPONT, Jean, 2014. Waves in harbours. In : {venue}. Lisbonne : Tidal Society. 2014. pp. 12-25.",
        "Lee A, Dupont J. Waves in harbours. In: {venue}. Tidal Society; 2014:12-25.",
        "Lee A, Dupont J. Waves in harbours. In: {venue}. Lisbon: Tidal Society 2014. 12-25.",
        "Lee, A. & Dupont, J. Waves in harbours. in {venue} 12-25 (Tidal Society, 2014).",
        "Lee, Ann and Jean Dupont. 2014. \u201cWaves in harbours.\u201d Pp. 12-25 in {venue}. Lisbon: Tidal Society.",
        "Lee, Ann, e Jean Dupont. 2014. \u00abWaves in harbours\u00bb. Em {venue}, 12-25. Lisboa: Tidal Society.",
        "LEE A, DUPONT J. Waves in harbours[C]//{venue}. Lisbon: Tidal Society, 2014: 12-25.",
    ],
)
def test_one_paper_at_a_conference_in_many_styles(text):
    families, title, venue, year, volume, issue, pages = parts(text.format(venue=ESTUARIES[1]))

    found = [name.title() for name in families], venue.removesuffix(" [...]"), year, pages
    assert found == ESTUARIES
    assert title == "Waves in harbours"
    assert (volume, issue) == (None, None)


def test_a_paper_at_a_conference_may_be_cited_without_its_title():
    text = f"A. Lee and J. Dupont, in {ESTUARIES[1]} (Tidal Society, Lisbon, 2014), pp. 12-25."

    families, title, venue, year, *_, pages = parts(text)

    assert (families, venue, year, pages) == ESTUARIES
    assert title is None


@pytest.mark.parametrize(
    "text",
    [
        "Lee, A. \u201cWaves.\u201d Journal of Water 79, no. April (2014): 12-25.",
        "Lee, A. 2014. Waves in harbours. Journal of Water. 79, July (2014), 12-25.",
    ],
)
def test_the_month_of_an_issue_is_no_part_of_the_journal(text):
    _, _, venue, year, volume, _, pages = parts(text)

    assert (venue, year, volume, pages) == ("Journal of Water", 2014, "79", "12-25")


def test_the_letter_of_a_volume_in_a_title_is_no_label():
    text = "Lee A. The case of Roe v. 5 others and vitamin T. 12 notes. J Water. 2014;79(2):12-25."

    _, title, venue, _, volume, *_ = parts(text)

    assert (title, venue, volume) == (
        "The case of Roe v. 5 others and vitamin T. 12 notes",
        "J Water",
        "79",
    )


def test_names_between_which_y_and_e_stand_are_whole():
    text = "Garc\u00eda y Vega, J. and Souza e Silva, E. (2014). Waves. Journal of Water, 79(2), 12-25."

    assert parts(text)[0] == ["Garc\u00eda y Vega", "Souza e Silva"]


def test_the_number_of_an_article_is_its_page_and_not_its_issue():
    *_, volume, issue, pages = parts(
        '[1] A. Lee, "Waves," Phys. Rev. Lett., vol. 120, no. 14, Art. no. 143001, 2018.'
    )

    assert (volume, issue, pages) == ("120", "14", "143001")


def test_the_line_breaks_and_decomposed_accents_of_a_pdf_change_nothing():
    text = (
        "Lindström, Å., & García, L. (2014). Spectroscopic confirmation of harbours. "
        "International Journal of Water, 79(2), 12-25."
    )
    broken = text.replace("confirmation", "confirma-\ntion").replace("Internat", "Inter-\nnat")

    assert parts(broken) == parts(text)
    assert parts(unicodedata.normalize("NFD", text)) == parts(text)


@pytest.mark.parametrize(
    ("text", "kind", "authors", "title", "venue", "publisher"),
    [
        (
            "王小明\uff0c李四\uff0c赵六\uff0c等\uff0e潮汐混合的模拟[J]\uff0e海洋学报\uff0c2014\uff0c79(2)\uff1a12-25.",
            "article",
            ["王小明", "李四", "赵六", "+"],
            "潮汐混合的模拟",
            "海洋学报",
            None,
        ),
        (
            "张三. 海洋学导论[M]. 北京: 科学出版社, 2014.",
            "book",
            ["张三"],
            "海洋学导论",
            None,
            "科学出版社",
        ),
        (
            "赵六, 钱七, 等. 河口的波[D]. 上海: 复旦大学, 2014.",
            "thesis",
            ["赵六", "钱七", "+"],
            "河口的波",
            None,
            "复旦大学",
        ),
        (
            "SMITH J, LEE A B. Deep waves[C]//Proceedings of the Wave Conference. ACM, 2014: 3-9.",
            "article",
            ["SMITH", "LEE"],
            "Deep waves",
            "Proceedings of the Wave Conference",
            "ACM",
        ),
        (
            "国家统计局. 统计年鉴[EB/OL]. (2014-01-01)[2021-02-03]. http://www.stats.example/a",
            "webpage",
            ["国家统计局"],
            "统计年鉴",
            None,
            None,
        ),
    ],
)
def test_the_mark_of_the_chinese_standard_ends_the_title(
    text, kind, authors, title, venue, publisher
):
    read = read_reference(text)
    names = [author.family or author.name for author in read.authors]

    assert read.kind == kind
    assert names + (["+"] if read.authors_truncated else []) == authors
    assert (read.title, read.venue, read.publisher) == (title, venue, publisher)


def test_others_are_implied_in_other_languages():
    russian = read_reference("Иванов И. И., Петров П. П. и др. Приливы // Океанология. 2007.")

    assert russian.authors_truncated
    assert [author.family for author in russian.authors] == ["Иванов", "Петров"]


@pytest.mark.parametrize(
    "text",
    [
        "Lee A, Åström B, 山田太郎. Waves in harbours. Journal of Water. 2014;79(2):12-25.",
        "Lee, A., Åström, B., & 山田太郎 (2014). Waves in harbours. Journal of Water, 79(2), 12-25.",
        "A. Lee, B. Åström and 山田太郎, Waves in harbours, J. Water 79 (2014) 12.",
        "Lee, A.; 山田太郎; Åström, B. Waves in harbours. J. Water 2014, 79 (2), 12-25.",
    ],
)
def test_a_name_without_spaces_stands_in_a_list_of_others(text):
    families, title, *_ = parts(text)

    assert sorted(families) == ["Lee", "Åström", "山田太郎"]
    assert title == "Waves in harbours"
