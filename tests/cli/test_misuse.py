"""Every error of every command has one form, and a mistyped name gets the one that was meant."""

import json

import pytest

FINE = "10.5555/fine-paper"


@pytest.mark.parametrize(
    ("words", "code", "first"),
    [
        (("fetch",), 2, "error[USAGE]: Missing argument 'REF'"),
        (("fech", FINE), 2, "error[USAGE]: No such command 'fech'"),
        (("completion",), 2, "error[USAGE]: Missing argument 'SHELL'. Choose from: "),
        (
            ("papers", "tides", "-n", "many"),
            2,
            "error[USAGE]: Invalid value for '-n' / '--number'",
        ),
        (("audit", "nothing.bib"), 2, "error[USAGE]: Invalid value for 'FILE...'"),
        (("resolve", "nonsense"), 2, "error[INVALID_REF]: "),
        (("search", "tides", "--lens", "monocle"), 2, "error[validation]: "),
        (("serve", "--toolset", "pappers"), 2, "error[CONFIG]: TOOLSETS (command line)"),
        (("serve", "--toolset", "team"), 2, "error[CONFIG]: no tool is in team"),
        (("serve", "--http", "8.8.8.8:0"), 2, "error[CONFIG]: "),
        (("log", "segments", "--no-such"), 2, "error[USAGE]: No such "),
    ],
    ids=str,
)
def test_an_error_begins_with_its_code_and_goes_on_with_what_to_do(cli, words, code, first):
    done = cli(*words)

    lines = done.stderr.splitlines()
    assert done.returncode == code
    assert lines[0].startswith(first)
    assert all(line.startswith("  = ") for line in lines[1:])
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("search", "tides", "--provider", "goggle"), "google"),
        (("search", "tides", "--news", "--provider", "DuckDuckGoo"), "duckduckgo"),
        (("papers", "tides", "--provider", "openalx"), "openalex"),
        (("cites", FINE, "--provider", "semanticscolar"), "semanticscholar"),
        (("trials", "tides", "--provider", "clinicaltrial"), "clinicaltrials"),
        (("economy", "GDP", "--provider", "wordbank"), "worldbank"),
        (("patents", "tides", "--provider", "lense"), "lens"),
        (("tool", "web_search", "--query", "tides", "--provider", "brvae"), "brave"),
        (("search", "tides", "--safe", "hihg"), "high"),
        (("search", "tides", "--lens", "scince"), "science"),
        (("search", "tides", "--images", "--size", "larg"), "large"),
        (("tool", "web_search", "--query", "tides", "--safe", "meduim"), "medium"),
        (("audit", "references.bib", "--fail-on", "retacted"), "retracted"),
        (("cite", FINE, "--style", "ampa"), "apa"),
        (("setup", "cursr"), "cursor"),
        (("serve", "--toolset", "pappers"), "papers"),
        (("serve", "--toolset", "shcolar"), "scholar"),
        (("fetch", FINE, "--frce"), "--force"),
        (("fech", FINE), "fetch"),
        (("library", "serch", "ice"), "search"),
    ],
    ids=str,
)
def test_a_mistyped_choice_is_misuse_and_gets_a_suggestion(cli, tmp_path, words, name):
    (tmp_path / "references.bib").write_text("")

    done = cli(*words)

    assert done.returncode == 2
    assert f"did you mean {name}" in done.stderr.lower().replace("'", "")


def test_a_program_learns_the_same_of_a_mistyped_provider(cli):
    done = cli("search", "tides", "--provider", "goggle", "--json")

    assert done.returncode == 2
    assert "'goggle'" in json.loads(done.stdout)["error"]["detail"]


def test_a_name_like_no_other_gets_no_suggestion(cli):
    done = cli("search", "tides", "--provider", "zzz")

    assert done.returncode == 2
    assert "did you mean" not in done.stderr.lower()


def test_force_is_another_name_of_refetch(cli, internet):
    cli("fetch", FINE)
    internet.forget()
    cli("fetch", FINE)
    kept = len(internet.seen)

    done = cli("fetch", FINE, "--force", "--json")

    assert kept == 0
    assert json.loads(done.stdout)["ok"]
    assert internet.seen


@pytest.mark.parametrize(
    ("words", "head"),
    [
        (("lenses",), "lens\thosts\t"),
        (("config", "show"), "setting\tvalue\tfrom"),
        (("library", "recent"), "fetched\t"),
        (("filings", "--ticker", "MTPC"), "filed\tform\t"),
        (("verify", "10.5555/retracted-paper"), "entry\tproblem\tthe record says\twhat to do"),
    ],
    ids=str,
)
def test_a_table_keeps_its_head_in_a_pipe(cli, words, head):
    cli("fetch", FINE)

    lines = cli(*words).stdout.splitlines()

    [place] = [at for at, line in enumerate(lines) if line.startswith(head)]
    assert lines[place + 1].count("\t") == lines[place].count("\t")
