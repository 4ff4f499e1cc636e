"""The SSRF guard: private addresses are refused in every notation, public look-alikes are not."""

import json
from dataclasses import replace
from ipaddress import IPv6Address
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sourcewright.base.errors import BadAnswer, Denied, InvalidInput
from sourcewright.base.http_messages import Request
from sourcewright.base.urls.parts import canonical_host
from sourcewright.net.http.addresses import is_public, parse_ip_literal
from sourcewright.net.http.exchange import Policy
from sourcewright.net.http.target import read_target, resolve

pytestmark = pytest.mark.anyio

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "hostile_targets.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
HOSTILE = [(row["target"], row["refused"]) for row in ROWS]
OPEN = Policy(source="anywhere", https_only=False)

LOOK_ALIKES = [
    "http://8.8.8.8/",
    "http://1.1.1.1/",
    "http://134744072/",
    "http://0x8.8.8.8/",
    "http://9.255.255.255/",
    "http://11.0.0.0/",
    "http://100.63.255.255/",
    "http://100.128.0.0/",
    "http://126.255.255.255/",
    "http://128.0.0.0/",
    "http://168.63.129.15/",
    "http://169.253.255.255/",
    "http://169.255.0.0/",
    "http://172.15.255.255/",
    "http://172.32.0.0/",
    "http://192.0.1.1/",
    "http://192.167.255.255/",
    "http://192.169.0.0/",
    "http://198.17.255.255/",
    "http://198.20.0.0/",
    "http://223.255.255.255/",
    "http://[2606:4700::1111]/",
    "http://[2a00:1450:4001::200e]/",
    "http://[2001:200::1]/",
    "http://[2003::1]/",
    "http://[::ffff:8.8.8.8]/",
    "http://example.com/",
    "http://EXAMPLE.com./",
    "http://localhost.example.com/",
    "http://internal.example.com/",
    "http://metadata.example.com/",
    "http://my.localx.org/",
    "http://127.0.0.1.example.com/",
    "http://10.1016.example.org/",
    "http://müller.example/",
    "http://例え.example/",
    "http://xn--mller-kva.example/",
    "http://under_score.example/",
    "https://example.com:443/",
    "http://example.com:80/",
    "http://example.com:/",
]


def test_the_corpus_is_large_and_names_each_target_once():
    targets = [target for target, _ in HOSTILE]

    assert len(targets) >= 300
    assert len(set(targets)) == len(targets)


@pytest.mark.promise("guard.no-private-address")
async def test_a_hostile_target_is_refused_before_anything_is_dialled(connect, dialled):
    client = connect(resolve=resolves_to("93.184.215.14"))
    reasons = {}

    for target, _ in HOSTILE:
        try:
            reasons[target] = await client.send(Request(url=target), OPEN)
        except (Denied, InvalidInput) as error:
            reasons[target] = reason_of(error)

    assert reasons == dict(HOSTILE)
    assert dialled == []


@pytest.mark.promise("guard.every-hop-is-checked")
@pytest.mark.parametrize("hop", [1, 9])
async def test_a_redirect_to_a_hostile_target_is_refused(serve, connect, hop):
    aim = []
    site = await serve(lambda head, _: chain(head, hop, aim[-1]))
    client = connect(sandbox_url=site.origin)
    redirects = {
        target: refused for target, refused in HOSTILE if not {"\r", "\n", "\0"} & set(target)
    }
    outcomes = {}

    for target in redirects:
        aim.append(target)
        site.heads.clear()
        try:
            outcomes[target] = await client.send(Request(url="http://journal.example/0"), OPEN)
        except Denied as error:
            where = error.denial.hop_index, error.denial.source
            outcomes[target] = reason_of(error), len(site.heads), *where
        except BadAnswer as error:
            outcomes[target] = reason_of(error), len(site.heads), hop, error.source

    assert outcomes == {
        target: (refused, hop, hop, "anywhere") for target, refused in redirects.items()
    }


@pytest.mark.parametrize("target", LOOK_ALIKES)
async def test_a_public_look_alike_is_asked(serve, connect, target):
    site = await serve(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")

    answer = await connect(sandbox_url=site.origin).send(Request(url=target), OPEN)

    assert answer.body == b"ok"


@pytest.mark.promise("guard.no-private-address")
@pytest.mark.parametrize(
    ("addresses", "attempted"),
    [
        (["10.0.0.1"], "10.0.0.1:80"),
        (["93.184.215.14", "192.168.1.1"], "192.168.1.1:80"),
        (["2606:4700::1111", "93.184.215.14", "::1"], "[::1]:80"),
        (["fe80::1%eth0"], "[fe80::1%eth0]:80"),
        (["::ffff:127.0.0.1"], f"[{IPv6Address('::ffff:7f00:1')}]:80"),
        (["64:ff9b::a00:1"], "[64:ff9b::a00:1]:80"),
    ],
)
async def test_one_private_address_behind_a_name_is_enough(connect, dialled, addresses, attempted):
    client = connect(resolve=resolves_to(*addresses))

    with pytest.raises(Denied) as caught:
        await client.send(Request(url="http://two-faced.example/"), OPEN)

    assert caught.value.denial.reason == "ssrf_private_address"
    assert caught.value.denial.attempted == attempted
    assert dialled == []


@pytest.mark.parametrize("port", [0, 1, 22, 25, 53, 110, 389, 587, 2049, 5060, 6000, 6667, 10080])
async def test_a_port_where_no_web_lives_is_refused_even_where_any_port_may_be(connect, port):
    policy = Policy(source="scraper", https_only=False, any_port=True)

    with pytest.raises(Denied) as caught:
        await connect().send(Request(url=f"http://example.com:{port}/"), policy)

    assert caught.value.denial.reason == "host_in_block_list"
    assert caught.value.denial.attempted == f"example.com:{port}"


@pytest.mark.parametrize("port", [80, 443, 2, 3000, 8080, 8443, 65535])
async def test_any_other_port_is_asked_where_any_port_may_be(serve, connect, say, port):
    site = await serve(say(200, body=b"ok"))
    policy = Policy(source="scraper", https_only=False, any_port=True)

    answer = await connect(sandbox_url=site.origin).send(
        Request(url=f"http://example.com:{port}/"), policy
    )

    assert answer.body == b"ok"


def reason_of(error):
    return error.denial.reason if isinstance(error, Denied) else "malformed"


def resolves_to(*addresses):
    async def resolve(_host):
        return list(addresses)

    return resolve


def chain(head, hop, target):
    """Redirect from /0 to /1 and so on, and at last to the target."""
    here = int(head.split(b" ")[1][1:])
    there = target if here + 1 == hop else f"/{here + 1}"
    return f"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: {there}\r\n\r\n".encode()


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["{}", "0x{:x}", "0{:o}", "0X{:X}", "{}."]))
def test_every_spelling_of_a_number_is_the_same_address(number, spelling):
    host = canonical_host(spelling.format(number))

    assert int(parse_ip_literal(host)) == number


@settings(deadline=None)
@given(st.ip_addresses())
def test_an_address_and_its_mapped_form_are_judged_alike(address):
    if address.version == 4:
        mapped = parse_ip_literal(canonical_host(f"[::ffff:{address}]"))

        assert is_public(mapped) == is_public(address)
    elif is_public(address):
        assert address.is_global


@settings(deadline=None)
@given(st.text(max_size=40))
def test_a_host_is_canonical_at_once_or_refused(text):
    try:
        host = canonical_host(text)
    except ValueError:
        return

    assert canonical_host(f"[{host}]" if ":" in host else host) == host
    assert host.isascii()


@settings(deadline=None)
@given(
    st.sampled_from(["", "http://", "https://a.example/", "http://[", "//", "http:\\"]),
    st.text(max_size=60) | st.text("/\\?#@:[]%.0123456789abcdefx\t ", max_size=60),
)
def test_any_redirect_is_read_or_refused_and_reads_the_same_again(start, text):
    base = read_target("https://journal.example/a/b")
    try:
        target = resolve(base, start + text)
    except InvalidInput:
        return

    assert all(0x21 <= byte <= 0x7E for byte in target.path)
    assert replace(target, has_userinfo=False) == read_target(target.url)
