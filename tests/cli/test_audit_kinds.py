"""`sourcewright audit` of works that no index lists: named by their kind, and never suspicious."""

import json

LIST = {
    "book": "Chomsky N. Syntactic Structures. The Hague: Mouton; 1957.",
    "chapter": 'Latour, Bruno. "Give Me a Laboratory." In Science Observed, edited by Karin '
    "Knorr-Cetina, 141-70. London: Sage, 1983.",
    "thesis": "Mikolov T. Language Models. PhD thesis, Brno University of Technology, 2012.",
    "software": "Wickham H. ggplot2: Elegant Data Visualisations. R package version 3.4.0, 2022.",
    "dataset": "Census Bureau. (2020). Community survey [Data set]. Census Bureau.",
    "law": "Copyright Act of 1976, 17 U.S.C. § 107 (2018).",
    "case": "Lantern v. Tide, 999 U.S. 999 (1999).",
    "report": "ISO 9001:2015. Quality management systems. Geneva, 2015.",
    "news": 'Editorial Board. "The Climate Emergency." The Daily Tide, 5 Nov. 2019, p. A26.',
    "patent": "Rivest R. Cryptographic system and method. US Patent 4,405,829; 1983.",
    "media": "Tarantino, Q. (Director). (1994). Pulp fiction [Film]. Miramax.",
    "communication": "Smith J. Harbour bells. Personal communication, 4 June 2021.",
}
COMMENTS = (
    'Comment on "The acoustics of frozen lakes". Annals of Imaginary Limnology. 2012;4:1-2.',
    "Correction to: The acoustics of frozen lakes. Annals of Imaginary Limnology. 2012;4:3.",
    "Ødegård B. Reply to: The acoustics of frozen lakes. Annals of Imaginary Limnology. 2012;4:3.",
)


def audited(cli, tmp_path, lines):
    path = tmp_path / "list.txt"
    numbered = (f"{number}. {line}\n" for number, line in enumerate(lines, 1))
    path.write_text("".join(numbered), encoding="utf-8")
    return json.loads(cli("audit", str(path), "--json").stdout)["entries"]


def test_what_cannot_be_looked_up_is_unchecked_and_never_suspicious(cli, tmp_path):
    entries = audited(cli, tmp_path, LIST.values())

    assert [one["kind"] for one in entries] == list(LIST)
    assert {tuple(one["flags"]) for one in entries} == {("unchecked",)}
    assert {one["exists"] for one in entries} == {None}
    assert max(one["risk"] for one in entries) < 0.5


def test_a_comment_or_a_correction_is_not_the_work_that_it_is_about(cli, tmp_path):
    entries = audited(cli, tmp_path, COMMENTS)

    assert [one["status"] for one in entries] == ["unconfirmed"] * 3
    assert not any("matchedRecord" in one for one in entries)
