"""`sourcewright audit --fix`: a corrected copy beside the file, and nothing else in it changed."""

import json

import pytest

BIBTEX = r"""% a list of mine: keep this line
@string{jtr = "Journal of Tidal Research"}
@ARTICLE{wrong,
   title   = "The acoustics of frozen lakes",
   author  = {Bjørn Ødegård},
   journal = jtr # " (old series)", % a remark
   x-mine  = {keep {this}},
   year    = 2009
}

@article{right, title={Tidal mixing and the memory of estuaries},
  author={Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田}, journal=jtr,
  year={2019}, doi={10.5555/fine-paper}}
@article{unclear, title={The acoustics of frozen lakes}, author={Percival Fabricant},
  journal=jtr, year=1999}
@article{taken-back, title={Harbour bells cure insomnia: a randomised trial},
  author={Percival Fabricant and John Smith}, journal=jtr, year=2015, doi={10.5555/retracted-paper}}
@book{book, title={On the keeping of ledgers}, author={Anna Quill}, publisher={Quill}, year={1931}}
@article{broken, title={Never closed
"""
CHANGED = {
    "   author  = {Bjørn Ødegård},": "   author  = {Ødegård, Bjørn and Dvořáček, Kateřina},",
    '   journal = jtr # " (old series)", % a remark': "   journal = {Annals of Imaginary Limnology}, % a remark",
    "   year    = 2009": "   year    = 2011",
}
RIS = """TY  - JOUR
TI  - The acoustics of frozen lakes
AU  - Ødegård, Bjørn
AU  - Nobody, New
PY  - 2009/05/01
JO  - Journal of Tidal Research
SP  - 1
EP  - 2
XX  - keep this
ER  -
"""
RIS_CHANGED = (
    RIS.replace("Nobody, New", "Dvořáček, Kateřina")
    .replace("2009/", "2011/")
    .replace("JO  - Journal of Tidal Research", "JO  - Annals of Imaginary Limnology")
    .replace("SP  - 1\nEP  - 2", "SP  - 7\nEP  - 29")
)
NBIB = """PMID- 99999999
TI  - The acoustics of frozen
      lakes.
FAU - Odegard, Bjorn
AU  - Odegard B
JT  - Journal of Tidal Research
DP  - 2009 May
XYZ - keep this

"""
CSL = """{"name": "mine", "items": [
  {"id": "wrong", "type":"article-journal", "title": "The acoustics of frozen lakes",
   "author": [
     {"family": "Ødegård", "given": "Bjørn"},
     {"family": "Nobody"}
   ],
   "issued": {"date-parts": [[2009, 5]]},   "custom": {"a": [1,2]},
   "container-title": ["Annals of Imaginary Limnology"]}
 ]}
"""


@pytest.fixture
def fixing(cli, tmp_path):
    """Fixes a file; returns the command's result and the bytes of the copy, if there is one."""

    def run(name, content, *words):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        before = path.read_bytes()
        done = cli("audit", str(path), "--fix", *words)
        assert path.read_bytes() == before
        copy = path.with_name(f"{path.stem}.fixed{path.suffix}")
        return done, copy.read_bytes() if copy.exists() else None

    return run


def test_only_the_fields_that_differ_are_changed_and_the_rest_is_kept(fixing):
    done, copy = fixing("mine.bib", BIBTEX)

    assert done.returncode == 0, done.stderr
    expected = BIBTEX
    for old, new in CHANGED.items():
        expected = expected.replace(old, new)
        assert f"-{old}" in done.stdout
        assert f"+{new}" in done.stdout
    assert copy.decode() == expected
    assert "3 fields corrected in" in done.stdout


def test_what_is_retracted_or_unclear_is_named_and_not_changed(fixing):
    done, _ = fixing("mine.bib", BIBTEX, "--json")

    fix = json.loads(done.stdout)["fix"]
    assert {(one["key"], one["field"]) for one in fix["changes"]} == {
        ("wrong", "authors"),
        ("wrong", "venue"),
        ("wrong", "year"),
    }
    left = {one["key"]: one["reason"] for one in fix["left"]}
    assert set(left) == {"taken-back", "unclear"}
    assert "retracted" in left["taken-back"]
    assert "unclear which work" in left["unclear"]


def test_a_corrected_copy_has_nothing_left_to_correct(fixing):
    _, copy = fixing("mine.bib", BIBTEX)

    done, again = fixing("second.bib", copy)

    assert again is None
    assert "nothing to correct; no file was written" in done.stdout


def test_a_file_that_exists_is_never_overwritten(cli, tmp_path, internet):
    (tmp_path / "mine.bib").write_text(BIBTEX, encoding="utf-8")
    (tmp_path / "mine.fixed.bib").write_text("my own", encoding="utf-8")
    internet.forget()

    done = cli("audit", str(tmp_path / "mine.bib"), "--fix")

    assert done.returncode == 4
    assert "already exists" in done.stderr
    assert (tmp_path / "mine.fixed.bib").read_text(encoding="utf-8") == "my own"
    assert not internet.seen


def test_ris_keeps_its_line_ends_and_unknown_tags(fixing):
    done, copy = fixing("mine.ris", RIS.replace("\n", "\r\n"))

    assert done.returncode == 0, done.stderr
    assert copy.decode() == RIS_CHANGED.replace("\n", "\r\n")


def test_nbib_is_corrected_with_both_forms_of_a_name(fixing):
    done, copy = fixing("mine.nbib", NBIB)

    assert done.returncode == 0, done.stderr
    text = copy.decode()
    assert "FAU - Dvořáček, Kateřina\nAU  - Dvořáček K\n" in text
    assert "DP  - 2011 May\n" in text
    assert "XYZ - keep this\n" in text


def test_csl_json_keeps_its_layout_and_unknown_members(fixing):
    done, copy = fixing("mine.json", CSL)

    assert done.returncode == 0, done.stderr
    expected = CSL.replace(
        '{"family": "Nobody"}', '{"family": "Dvořáček", "given": "Kateřina"}'
    ).replace("2009", "2011")
    assert copy.decode() == expected


def test_the_encoding_of_a_file_is_kept_and_what_it_lacks_is_left(fixing):
    text = BIBTEX[: BIBTEX.index("@article{right")].replace("2009", "2008")
    done, copy = fixing("mine.bib", text.encode("cp1252"), "--json")

    fix = json.loads(done.stdout)["fix"]
    assert {one["field"] for one in fix["changes"]} == {"venue", "year"}
    assert "cp1252" in fix["left"][0]["reason"]
    assert "Bjørn Ødegård" in copy.decode("cp1252")


def test_a_file_in_ascii_gets_commands_for_accents(fixing):
    text = BIBTEX[: BIBTEX.index("@article{right")]
    done, copy = fixing("mine.bib", text.replace("Bjørn Ødegård", r"Bj{\o}rn {\O}deg{\aa}rd"))

    assert done.returncode == 0, done.stderr
    assert copy.isascii()
    assert rb"Dvo{\v{r}}{\'a}{\v{c}}ek, Kate{\v{r}}ina" in copy


def test_a_list_of_references_is_not_changed_but_the_right_one_is_shown(fixing):
    line = "1. Ødegård B, Dvořáček K. The acoustics of frozen lakes. Annals of Imaginary Limnology. 2009;3:7-29.\n"
    done, copy = fixing("mine.txt", line)

    assert copy is None
    assert "cannot be corrected in place" in done.stdout
    assert "{2011}" in done.stdout


def test_the_exit_code_still_follows_what_was_asked_for(fixing):
    done, copy = fixing("mine.bib", BIBTEX, "--fail-on", "mismatch")

    assert done.returncode == 1
    assert copy is not None


def test_a_name_in_another_script_is_corrected_with_its_family_name_first(fixing):
    entry = (
        "@article{tides, title={Tidal mixing and the memory of estuaries}, year={2019},\n"
        "  author={Nobody, New and Lindqvist, Åsa and 山田, 太郎}}\n"
    )

    done, copy = fixing("names.bib", entry)

    assert done.returncode == 0, done.stderr
    assert "author={Okonkwo, Adaeze and Lindqvist, Åsa and 山田, 太郎}" in copy.decode()


def test_what_is_not_corrected_is_not_to_be_corrected_by_hand_either(fixing, cli, tmp_path):
    fixing("mine.bib", BIBTEX)

    shown = cli("audit", str(tmp_path / "mine.bib")).stdout

    rows = [line for line in shown.splitlines() if line.startswith(("unclear", "wrong"))]
    assert [("check which work" in row, "correct the" in row) for row in rows] == [
        (False, True),
        (True, False),
    ]
