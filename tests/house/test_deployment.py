"""Files for deployment are true: settings, commands, paths, ports and routes exist."""

import importlib
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click import Command, Context, Group

from sourcewright import manifest
from sourcewright.cli.main import sourcewright
from sourcewright.settings import TABLE
from sourcewright.web.health import Readiness, health_routes

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
UNIT = (ROOT / "deploy" / "sourcewright.service").read_text("utf-8")
CADDY = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
GUIDE = (ROOT / "docs" / "guides" / "operate-a-team-server.md").read_text("utf-8")
NOT_OURS = {"PATH", "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_CACHE_DIR"}


def compose(path: str) -> dict[str, Any]:
    # A tag of Compose, which marks what replaces the value of another file.
    text = (ROOT / path).read_text("utf-8").replace("!reset ", "")
    # It has no types of its own.
    loaded: dict[str, Any] = importlib.import_module("yaml").safe_load(text)
    return loaded


def command_named(name: str) -> Command | None:
    return sourcewright.get_command(Context(sourcewright), name)


SERVICES = compose("compose.yaml")["services"]
CLUSTER = compose("deploy/compose.cluster.yaml")["services"]


def settings() -> set[str]:
    options = {name for one in manifest.load()["options"] for name in one["env"]}
    return {name for setting in TABLE for name in setting.names} | options


def named_in_docker() -> set[str]:
    lines = DOCKERFILE.replace("\\\n", " ").splitlines()
    words = [word for line in lines if line.startswith("ENV ") for word in line.split()[1:]]
    return {word.partition("=")[0] for word in words} - NOT_OURS


def named_in_compose() -> set[str]:
    services = (SERVICES["sourcewright"], CLUSTER["sourcewright"], CLUSTER["proxy"])
    given = {name for one in services for name in one["environment"]}
    text = (ROOT / "compose.yaml").read_text("utf-8")
    return given | set(re.findall(r"\$\{(\w+)[:}]", text))


@pytest.mark.parametrize(
    "names",
    [
        named_in_docker(),
        named_in_compose(),
        set(re.findall(r"^Environment=(\w+)=", UNIT, re.MULTILINE)),
        set(re.findall(r"\{\$(\w+)\}", CADDY)),
        set(re.findall(r"^([A-Z][A-Z0-9_]+)=", GUIDE, re.MULTILINE)),
        set(re.findall(r"`([A-Z][A-Z0-9]*_[A-Z0-9_]+)[=`]", GUIDE)),
    ],
    ids=["Dockerfile", "compose", "systemd", "proxy", "guide's blocks", "guide's text"],
)
def test_every_setting_that_is_named_exists(names: set[str]) -> None:
    assert names
    assert names - settings() == set()


def test_the_image_is_built_from_files_that_exist_and_are_sent_to_the_builder() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    sources = [word for line in copied for word in line.split()]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()

    assert sources
    assert [one for one in sources if not (ROOT / one).exists()] == []
    assert [one for one in sources if f"!{one}" not in ignored] == []


def test_the_lock_of_the_image_is_that_of_the_project_and_redis() -> None:
    def pinned(name: str) -> dict[str, str]:
        text = (ROOT / "requirements" / name).read_text("utf-8")
        return dict(re.findall(r"^([\w.-]+)==([^\s;\\]+)", text, re.MULTILINE))

    own, image, tested = pinned("run.txt"), pinned("server.txt"), pinned("dev.txt")
    assert own.items() <= image.items()
    assert image["redis"] == tested["redis"]


def test_the_image_runs_our_command_as_nobody_special() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    [entry] = re.findall(r"^ENTRYPOINT (.+)$", DOCKERFILE, re.MULTILINE)
    [words] = re.findall(r"^CMD (.+)$", DOCKERFILE, re.MULTILINE)
    users = re.findall(r"^USER (.+)$", DOCKERFILE, re.MULTILINE)
    [uid] = re.findall(r"--uid (\d+)", DOCKERFILE)

    assert json.loads(entry)[0] in project["scripts"]
    assert command_named(json.loads(words)[0])
    assert users[-1] == f"{uid}:{uid}"
    assert set(users) <= {users[-1], "root"}
    assert int(uid) > 0


def test_every_target_that_is_named_is_a_stage() -> None:
    stages = re.findall(r"^FROM \S+ AS (\w+)$", DOCKERFILE, re.MULTILINE)
    named = {SERVICES["sourcewright"]["build"]["target"], *re.findall(r"--target (\w+)", GUIDE)}

    assert named <= set(stages)
    assert stages[-1] == "full"


def test_health_checks_ask_for_a_route_of_ours() -> None:
    async def examine() -> Readiness:
        return Readiness()

    routes = {route.path for route in health_routes(examine)}
    paths = set(re.findall(r"/health/\w+", DOCKERFILE + GUIDE))

    assert paths
    assert paths <= routes


def test_all_files_agree_on_the_port() -> None:
    [port] = re.findall(r"\bPORT=(\d+)", DOCKERFILE)
    [published] = SERVICES["sourcewright"]["ports"]

    assert published == f"127.0.0.1:{port}:{port}"
    assert re.findall(r"\bPORT=(\d+)|^EXPOSE (\d+)", UNIT + DOCKERFILE, re.MULTILINE)
    assert re.findall(r"\bport (\d+)", CADDY) == [port]
    assert f"EXPOSE {port}\n" in DOCKERFILE


def test_containers_have_no_more_rights_than_they_need() -> None:
    for name, service in {**CLUSTER, **SERVICES}.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name


def test_redis_keeps_what_it_acknowledged_and_only_we_reach_it() -> None:
    redis, networks = SERVICES["redis"], compose("compose.yaml")["networks"]
    words = redis["command"]
    options = dict(zip(words[1::2], words[2::2], strict=True))

    assert options["--appendonly"] == "yes"
    assert options["--appendfsync"] == "always"
    assert options["--maxmemory-policy"] == "noeviction"
    assert "ports" not in redis
    assert all(networks[name]["internal"] for name in redis["networks"])


def test_volumes_and_files_that_are_mounted_exist() -> None:
    for path in ("compose.yaml", "deploy/compose.cluster.yaml"):
        loaded = compose(path)
        mounts = [
            one for service in loaded["services"].values() for one in service.get("volumes", [])
        ]
        sources = {mount.partition(":")[0] for mount in mounts}
        files = {one for one in sources if one.startswith(".")}
        assert all((ROOT / one).exists() for one in files)
        assert sources - files <= set(loaded["volumes"])


@pytest.mark.parametrize("page", [GUIDE, (ROOT / "compose.yaml").read_text("utf-8"), UNIT])
def test_every_command_that_is_named_exists(page: str) -> None:
    found = re.findall(
        r"(?:^|[`/] ?|\bsourcewright )sourcewright ([a-z]+)(?: ([a-z-]+))?", page, re.MULTILINE
    )

    assert found
    for name, sub in found:
        command = command_named(name)
        assert command, name
        assert not isinstance(command, Group) or sub in command.commands, (name, sub)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    program = tmp_path / "sourcewright"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "sourcewright.service"
    unit.write_text(UNIT.replace("/opt/sourcewright/bin/sourcewright", str(program)), "utf-8")

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    ours = [line for line in done.stderr.splitlines() if "sourcewright" in line]
    assert ours == []
