"""`sourcewright log`: verifying and repairing, as somebody at a terminal does it."""

import json

import pytest

FINE = "10.5555/fine-paper"


@pytest.fixture
def log(tmp_path):
    return tmp_path / "state" / "provenance.jsonl"


def damage(file):
    lines = file.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b"crossref", b"grossref")
    file.write_bytes(b"".join(lines).replace(b'"resolve"', b'"resolv"', 1))


def test_verify_says_chain_and_files_apart(cli, tmp_path):
    cli("fetch", FINE)
    whole = cli("log", "verify")
    [paper] = (tmp_path / "papers").glob("*.pdf")
    paper.write_bytes(paper.read_bytes() + b" ")

    changed = cli("log", "verify")
    ignored = cli("log", "verify", "--no-files")

    assert whole.returncode == 0, whole.stdout
    assert "the hash chain is intact" in whole.stdout
    assert "stored files: 1 checked, all present and unchanged" in whole.stdout
    assert changed.returncode == 5
    assert "the hash chain is intact" in changed.stdout
    assert "changed-file" in changed.stdout
    assert ignored.returncode == 0


def test_the_audit_log_is_verified_by_the_same_command(cli, tmp_path):
    cli("resolve", FINE)
    whole = cli("log", "verify", "--audit")
    audit = tmp_path / "state" / "audit.jsonl"
    audit.write_text(audit.read_text("utf-8").replace("true", "false", 1), "utf-8")

    changed = cli("log", "verify", "--audit")

    assert (whole.returncode, changed.returncode) == (0, 1)
    assert "this-hash" in changed.stdout


def test_a_damaged_log_is_repaired_only_when_told_to(cli, log):
    cli("resolve", FINE)
    damage(log)
    before = log.read_bytes()
    refused = cli("resolve", FINE)

    dry = cli("log", "repair", "--dry-run")
    outcome = cli("log", "repair")
    untouched = log.read_bytes()
    done = cli("log", "repair", "--yes")
    again = cli("log", "repair", "--yes")

    assert refused.returncode == 4
    assert "sourcewright log repair" in refused.stderr
    assert (dry.returncode, "would quarantine provenance.jsonl from line" in dry.stdout) == (
        1,
        True,
    )
    assert outcome.returncode != 0
    assert untouched == before
    assert (done.returncode, again.returncode) == (0, 0)
    assert "nothing to repair" in again.stdout
    [aside] = log.parent.glob("*.damaged-*")
    assert before.endswith(aside.read_bytes())
    assert cli("resolve", FINE).returncode == 0
    verified = cli("log", "verify")
    assert verified.returncode == 0
    assert "1 repair recorded" in verified.stdout


def test_a_program_gets_what_was_found_as_data(cli):
    cli("resolve", FINE)

    report = json.loads(cli("log", "verify", "--json").stdout)

    assert (report["ok"], report["chain_ok"], report["files"]["checked"]) == (True, True, 0)
    assert report["unlinked"] == report["expired"] == report["repairs"] == 0


def test_a_full_state_folder_is_found_by_the_doctor(cli, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    done = cli("doctor", AUDIT_OUTPUT_PATH=str(tmp_path / "file" / "audit.jsonl"))

    assert done.returncode == 1
    assert "cannot be appended to" in done.stdout
