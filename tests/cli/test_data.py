"""Export and erasure at the terminal: everything of one user, nothing of anybody else."""

import asyncio
import json

import pytest

from sourcewright.domain.users.sessions import Owner
from sourcewright.settings import Settings
from sourcewright.wiring import build

ON = {
    "MEMORY_ENABLED": "true",
    "WORKSPACES_ENABLED": "true",
    "USER_ANALYTICS_ENABLED": "true",
}
KINDS = [
    "api_keys",
    "consent",
    "memory",
    "workspace_contributions",
    "workspace_memberships",
    "user_analytics",
    "sessions",
    "artifacts",
    "audit_log",
]
KEPT = ["papers", "cache", "provenance_log"]
USERS = ("ann.onymous@uni.example", "bob")
"""One whose name is in no other file of the tests by chance, and somebody else."""
ANN, BOB = (Owner(tenant="default", user=user) for user in USERS)


@pytest.fixture
def used(environment, tmp_path):
    """An installation of which both users have used everything."""
    for owner in (ANN, BOB):
        changes = {**environment, **ON, "STDIO_USER_ID": owner.user}
        asyncio.run(use_everything(Settings.load(changes, cwd=tmp_path), owner))


async def use_everything(settings, owner):
    step = {"searchStep": f"goal of {owner.user}", "stepNumber": 1, "nextStepNeeded": True}
    async with build(settings) as app:
        teams = app.services.teams
        await teams.consents.decide(owner, "workspace", granted=True, decided_from="test")
        await teams.workspaces.add_member("tides", owner, creating=True)
        for name, arguments in (
            ("memory_save", {"note": f"a note of {owner.user}"}),
            ("workspace_contribute", {"workspace_id": "tides", "note": f"by {owner.user}"}),
            ("sequential_search", step),
        ):
            assert not (await app.call(name, arguments)).is_error
        await app.services.parts.api_keys.create(owner, label=f"key of {owner.user}")
        assert await app.services.parts.artifacts.keep(f"for {owner.user}".encode(), "text/plain")


def by_kind(done):
    assert done.returncode == 0, done.stderr
    return {one["kind"]: one for one in json.loads(done.stdout)["kinds"]}


@pytest.mark.usefixtures("used")
def test_an_export_has_everything_of_one_user_and_nothing_of_another(cli):
    exported = by_kind(cli("data", "export", ANN.user))

    assert list(exported) == KINDS + KEPT
    assert {kind: exported[kind]["count"] for kind in KINDS[:-1]} == {
        "api_keys": 1,
        "consent": 3,
        "memory": 1,
        "workspace_contributions": 1,
        "workspace_memberships": 1,
        "user_analytics": 1,
        "sessions": 1,
        "artifacts": 1,
    }
    assert exported["audit_log"]["count"] >= 3
    text = json.dumps(exported)
    assert f"a note of {ANN.user}" in text
    assert f"goal of {ANN.user}" in text
    assert "bob" not in text
    assert "digest" not in exported["api_keys"]["items"][0]
    assert all(exported[kind]["action"] == "kept" for kind in KEPT)


@pytest.mark.usefixtures("used")
def test_after_an_erasure_no_file_has_the_user_and_the_others_keep_everything(cli, tmp_path):
    before = by_kind(cli("data", "export", BOB.user))

    planned = by_kind(cli("data", "erase", ANN.user, "--dry-run", "--json"))
    erased = by_kind(cli("data", "erase", ANN.user, "--yes", "--json"))

    for kind in KINDS[:-1]:
        assert planned[kind]["count"] == erased[kind]["count"] > 0, kind
        assert erased[kind]["action"] == "erased"
    assert erased["audit_log"]["action"] == "pseudonymised"
    assert erased["audit_log"]["count"] >= planned["audit_log"]["count"] > 0
    assert [path for path in tmp_path.rglob("*") if has(path, ANN.user)] == []
    assert all(one["count"] == 0 for one in by_kind(cli("data", "export", "nobody")).values())
    after = by_kind(cli("data", "export", BOB.user))
    for kind in KINDS[:-1]:
        assert after[kind]["items"] == before[kind]["items"], kind
    assert cli("log", "verify", "--audit").returncode == 0


def has(path, text):
    return path.is_file() and text.encode() in path.read_bytes()


@pytest.mark.usefixtures("used")
def test_erasing_again_finds_nothing_and_changes_nothing(cli):
    assert cli("data", "erase", ANN.user, "--yes").returncode == 0

    again = by_kind(cli("data", "erase", ANN.user, "--yes", "--json"))

    assert [again[kind]["count"] for kind in KINDS] == [0] * len(KINDS)


@pytest.mark.usefixtures("used")
def test_a_dry_run_changes_no_file(cli, tmp_path):
    def contents():
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        return {path: path.read_bytes() for path in files if not path.name.endswith("-shm")}

    cli("data", "erase", "nobody", "--dry-run")
    before = contents()

    shown = cli("data", "erase", ANN.user, "--dry-run")

    assert "memory\twould be erased\t1" in shown.stdout
    assert "papers\tkept" in shown.stdout
    nothing = cli("data", "erase", "nobody", "--dry-run").stdout
    assert "memory\twould be erased\t0" in nothing
    assert {p: b for p, b in contents().items() if "sqlite3" not in p.name} == {
        p: b for p, b in before.items() if "sqlite3" not in p.name
    }
    assert by_kind(cli("data", "export", ANN.user))["memory"]["count"] == 1


@pytest.mark.usefixtures("used")
def test_nothing_is_erased_without_a_yes(cli):
    done = cli("data", "erase", ANN.user)

    assert (done.returncode, "use --yes" in done.stderr) == (2, True)
    assert by_kind(cli("data", "export", ANN.user))["memory"]["count"] == 1


@pytest.mark.usefixtures("used")
def test_the_same_name_in_another_tenant_is_not_touched(cli):
    assert cli("data", "erase", ANN.user, "--tenant", "other", "--yes").returncode == 0

    assert by_kind(cli("data", "export", ANN.user))["memory"]["count"] == 1


def test_with_another_key_erasing_still_removes_what_belongs_to_the_user_alone(cli):
    sealed = {"CACHE_ENCRYPTION_KEY": "0f" * 32, "STDIO_USER_ID": "ann", **ON}
    assert cli("memory", "save", "x", **sealed).returncode == 0
    other = {"CACHE_ENCRYPTION_KEY": "1e" * 32}

    failed = cli("data", "export", "ann", **other)
    erased = by_kind(cli("data", "erase", "ann", "--yes", "--json", **other))

    assert failed.returncode == 4
    kinds = {one["kind"]: one for one in json.loads(failed.stdout)["kinds"]}
    assert kinds["memory"]["action"] == "failed"
    assert "CACHE_ENCRYPTION_KEY" in kinds["memory"]["detail"]
    assert erased["memory"]["count"] == 1
    assert by_kind(cli("data", "export", "ann", **sealed))["memory"]["count"] == 0


@pytest.mark.parametrize("user", ["", " ann", "a\nb", "x" * 257])
def test_a_name_that_nobody_has_is_refused(cli, user):
    assert cli("data", "erase", user, "--yes").returncode == 2


def test_sessions_of_somebody_without_a_name_can_be_erased_too(cli):
    begin = ("sequential_search", "--searchStep", "a", "--stepNumber", "1")
    assert cli("tool", *begin, "--nextStepNeeded", "true").returncode == 0

    erased = by_kind(cli("data", "erase", "anonymous", "--yes", "--json"))

    assert erased["sessions"]["count"] == 1
    assert "there are no research sessions" in cli("sessions", "list").stdout
