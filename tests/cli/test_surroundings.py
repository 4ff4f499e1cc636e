"""What surrounds the process does not change whom it talks to."""

import pytest

NOWHERE = "http://127.0.0.1:9"


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"])
def test_a_proxy_of_the_environment_is_not_used(cli, internet, name):
    done = cli("resolve", "10.5555/fine-paper", **{name: NOWHERE, name.lower(): NOWHERE})

    assert done.returncode == 0, done.stderr
    assert "api.crossref.org" in {seen.host for seen in internet.seen}
