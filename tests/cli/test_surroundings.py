"""HTTP proxies are used only if the operator sets one, and being offline is reported once."""

import json
import shutil
import socket
import socketserver
import subprocess
import sys
import threading

import pytest

NOWHERE = "http://127.0.0.1:9"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"])
def test_a_proxy_of_the_environment_is_not_used(cli, internet, name):
    done = cli("resolve", "10.5555/fine-paper", **{name: NOWHERE, name.lower(): NOWHERE})

    assert done.returncode == 0, done.stderr
    assert "api.crossref.org" in {seen.host for seen in internet.seen}


class TunnelHandler(socketserver.StreamRequestHandler):
    """Answers CONNECT with a tunnel to the requested address."""

    def handle(self):
        target = self.rfile.readline().split()[1].decode()
        while self.rfile.readline().strip():
            pass
        self.server.targets.append(target)
        host, _, port = target.rpartition(":")
        with socket.create_connection((host, int(port))) as onward:
            self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=self.copy, args=(onward, self.connection))
            back.start()
            self.copy(self.connection, onward)
            back.join()

    @staticmethod
    def copy(source, sink):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


class TunnelServer(socketserver.ThreadingTCPServer):
    """A proxy on loopback, and the addresses requested from it."""

    daemon_threads = True
    targets: list[str]


@pytest.fixture
def proxy():
    with TunnelServer(("127.0.0.1", 0), TunnelHandler) as server:
        server.targets = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_proxy_that_the_operator_set_carries_every_request(cli, internet, proxy):
    url = f"http://127.0.0.1:{proxy.server_address[1]}"

    done = cli("resolve", "10.5555/fine-paper", SOURCEWRIGHT_PROXY=url)

    assert done.returncode == 0, done.stderr
    assert "api.crossref.org" in {seen.host for seen in internet.seen}
    assert set(proxy.targets) == {internet.url.removeprefix("http://")}


@pytest.mark.parametrize("value", ["127.0.0.1:3128", "socks5://127.0.0.1:1", "http://x.example/p"])
def test_what_is_no_proxy_is_refused_at_the_start(cli, value):
    done = cli("resolve", "10.5555/fine-paper", SOURCEWRIGHT_PROXY=value)

    assert done.returncode == 2
    assert "SOURCEWRIGHT_PROXY" in done.stderr


@pytest.fixture
def offline(environment, tmp_path):
    """Runs a command in a network namespace without any interface."""
    alone = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"], check=False).returncode:
        pytest.skip("network namespaces cannot be made here")
    given = {"PATH": environment["PATH"], "HOME": str(tmp_path), "CHROME_PATH": "disabled"}

    def run(*words):
        return subprocess.run(
            [*alone, sys.executable, "-m", "sourcewright", *words],
            env=given,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    "words",
    [("resolve", "10.5555/fine-paper"), ("search", "tides"), ("papers", "tides")],
    ids=" ".join,
)
def test_a_computer_that_is_offline_is_called_offline_once(offline, words):
    done = offline(*words)

    assert done.returncode == 1
    assert done.stderr.count("offline") == 1
    assert "this computer is offline (there is no route to the internet)" in done.stderr
    assert "could not be resolved" not in done.stderr
    assert "does not exist" not in done.stderr.replace(
        "this does not mean that it does not exist", ""
    )


def test_the_doctor_reports_being_offline_as_one_problem(offline):
    done = offline("doctor", "--online", "--json")

    findings = json.loads(done.stdout)["findings"]
    problems = [one["subject"] for one in findings if one["grade"] == "problem"]
    assert (done.returncode, problems) == (1, ["network"])
    assert findings[0]["subject"] == "network"


def test_the_doctor_notices_without_asking_anybody_that_the_computer_is_offline(offline):
    done = offline("doctor")

    assert done.returncode == 1
    assert done.stdout.count("offline") == 1
    assert "1 problem, " in done.stdout
