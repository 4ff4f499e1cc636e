"""References from PubMed's NBIB and from EndNote, with hostile XML refused."""

import pytest

from sourcewright.base.errors import InvalidInput
from sourcewright.references.limits import MAX_ENTRIES
from sourcewright.references.model import UnreadableReference
from sourcewright.references.reader import read_references

NBIB = """PMID- 12345
OWN - NLM
VI  - 7
IP  - 2
DP  - 2018 Mar 1
TI  - A long title that
      is wrapped.
PG  - 101-9
LID - 10.5555/water.1 [doi]
FAU - Berg, Jan van der
AU  - Berg JV
CN  - The Water Group
PT  - Journal Article
JT  - Journal of water
TA  - J Water
PMC - PMC765

PMID- 12346
OWN - NLM
"""


def test_nbib_has_all_its_fields():
    reference, empty = read_references(NBIB)

    assert (reference.key, reference.pmid, reference.pmcid) == ("12345", "12345", "PMC765")
    assert (reference.title, reference.venue) == (
        "A long title that is wrapped",
        "Journal of water",
    )
    assert (reference.year, reference.volume, reference.issue) == (2018, "7", "2")
    assert (reference.pages, reference.doi, reference.kind) == (
        "101-9",
        "10.5555/water.1",
        "article",
    )
    assert [author.name for author in reference.authors] == ["Jan van der Berg", "The Water Group"]
    assert isinstance(empty, UnreadableReference)
    assert (empty.key, empty.line) == ("12346", 18)


def test_the_tagged_format_of_endnote_has_all_its_fields():
    [reference] = read_references(
        "%0 Journal Article\n%A Bear, Ann\n%A Cub, Bob\n%T On bears\n%J Journal of Fur\n%D 2016\n"
        "%V 1\n%N 2\n%P 3-9\n%R doi:10.5555/b\n%U https://a.example/b\n"
    )

    assert [author.family for author in reference.authors] == ["Bear", "Cub"]
    assert (reference.kind, reference.title, reference.venue) == (
        "article",
        "On bears",
        "Journal of Fur",
    )
    assert (reference.year, reference.volume, reference.issue, reference.pages) == (
        2016,
        "1",
        "2",
        "3-9",
    )
    assert (reference.doi, reference.url) == ("10.5555/b", "https://a.example/b")


ENDNOTE = """<?xml version="1.0" encoding="UTF-8"?><xml><records><record>
<rec-number>7</rec-number><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal">Bear, Ann</style></author><author>Cub, B.</author></authors></contributors>
<titles><title><style face="normal">On </style><style face="italic">Ursus</style></title>
<secondary-title>Journal of Fur</secondary-title></titles>
<pages>3-9</pages><volume>1</volume><number>2</number><dates><year>2016</year></dates>
<electronic-resource-num>10.5555/b</electronic-resource-num>
<urls><related-urls><url>https://a.example/b</url></related-urls></urls></record>
<record><rec-number>8</rec-number></record></records></xml>"""


def test_endnote_xml_has_all_its_fields():
    reference, empty = read_references(ENDNOTE)

    assert (reference.key, reference.kind, reference.title) == ("7", "article", "On Ursus")
    assert [author.family for author in reference.authors] == ["Bear", "Cub"]
    assert (reference.venue, reference.year, reference.pages) == ("Journal of Fur", 2016, "3-9")
    assert (reference.volume, reference.issue) == ("1", "2")
    assert (reference.doi, reference.url) == ("10.5555/b", "https://a.example/b")
    assert (empty.key, empty.reason) == ("8", "the record has no title and no authors")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><r>&c;</r>',
            "declares a document type",
        ),
        ('<!DOCTYPE xml SYSTEM "file:///etc/passwd"><xml/>', "declares a document type"),
        ("<xml><records><record>", "not well-formed XML"),
        ("<xml>\x00</xml>", "not well-formed XML"),
        ("<xml><a/></xml>", "it has no records"),
        ("<xml>" + "<a>" * 1000, "nested too deeply"),
        ("<xml>" + "<record/>" * (MAX_ENTRIES + 1) + "</xml>", "more than 50000 records"),
    ],
)
def test_hostile_xml_is_refused(text, reason):
    with pytest.raises(InvalidInput, match=reason):
        read_references(text)
