"""TLS: the requested host name is sent and verified; HTTP/2 obeys the same limits."""

import asyncio
import datetime as dt
import ssl
from contextlib import closing, suppress

import anyio
import h2.config
import h2.connection
import h2.events
import h2.exceptions
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sourcewright.base.errors import BadAnswer, Denied, Unavailable
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy

pytestmark = pytest.mark.anyio

POLICY = Policy(source="crossref", max_bytes=1000)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for journal.example, made on the spot."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "journal.example")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("journal.example")]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "journal.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def secured(certificate):
    """A server's TLS context, and the host names (SNI) that clients requested."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.server_names = []
    context.sni_callback = lambda _socket, name, _context: context.server_names.append(name)
    return context


@pytest.fixture
def trusting(connect, certificate):
    """A client that trusts the certificate and resolves every name to this machine."""

    def make(origin):
        context = ssl.create_default_context(cafile=certificate)

        async def resolve(_host):
            return ["127.0.0.1"]

        return connect(resolve=resolve, own_addresses={"crossref": origin}, ssl_context=context)

    return make


@pytest.fixture
def tunnelled(serve, say, connect, certificate, proxy_to):
    """A client that trusts the certificate, behind a proxy that leads to one site."""

    async def start(secured):
        async def resolve(_host):
            return ["93.184.215.14"]

        site = await serve(say(200, body=b"ok"), ssl=secured)
        proxy = await proxy_to(site.port)
        client = connect(
            resolve=resolve,
            ssl_context=ssl.create_default_context(cafile=certificate),
            proxy_url=f"http://127.0.0.1:{proxy.port}",
        )
        return client, proxy, site

    return start


def at(site, host="journal.example"):
    return f"https://{host}:{site.port}"


async def test_the_name_that_was_asked_for_is_proven(serve, say, secured, trusting):
    site = await serve(say(200, body=b"ok"), ssl=secured)

    answer = await trusting(at(site)).send(Request(url=at(site) + "/x"), POLICY)

    assert answer.body == b"ok"
    assert secured.server_names == ["journal.example"]
    assert f"host: journal.example:{site.port}\r\n".encode() in site.heads[0]


async def test_a_certificate_for_another_name_is_not_taken(serve, say, secured, trusting):
    site = await serve(say(200), ssl=secured)
    origin = at(site, "other.example")

    with pytest.raises(Unavailable) as caught:
        await trusting(origin).send(Request(url=origin), POLICY)

    assert caught.value.cause == "tls"
    assert site.heads == []


@pytest.mark.parametrize(("host", "cause"), [("journal.example", None), ("other.example", "tls")])
async def test_inside_the_tunnel_of_a_proxy_the_name_is_proven_too(
    host, cause, secured, tunnelled
):
    client, proxy, site = await tunnelled(secured)

    outcome = None
    try:
        assert (await client.send(Request(url=f"https://{host}/x"), POLICY)).body == b"ok"
    except Unavailable as error:
        outcome = error.cause

    assert outcome == cause
    assert proxy.targets == ["93.184.215.14:443"]
    assert secured.server_names == [host]
    assert len(site.heads) == (cause is None)


async def test_a_certificate_that_nobody_vouches_for_is_not_taken(serve, say, secured, connect):
    async def resolve(_host):
        return ["127.0.0.1"]

    site = await serve(say(200), ssl=secured)
    client = connect(resolve=resolve, own_addresses={"crossref": at(site)})

    with pytest.raises(Unavailable) as caught:
        await client.send(Request(url=at(site)), POLICY)

    assert caught.value.cause == "tls"
    assert site.heads == []


async def test_a_server_without_tls_is_a_tls_failure(trusting):
    async def speak_plainly(reader, writer):
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(speak_plainly, "127.0.0.1", 0)
    origin = f"https://journal.example:{server.sockets[0].getsockname()[1]}"

    with pytest.raises(Unavailable) as caught:
        await trusting(origin).send(Request(url=origin), POLICY)

    server.close()
    assert caught.value.cause == "tls"


async def test_a_handshake_that_never_ends_runs_into_the_connect_limit(trusting):
    hung_up = asyncio.Event()

    async def stall(reader, writer):
        while await reader.read(1000):
            pass
        hung_up.set()
        writer.close()

    server = await asyncio.start_server(stall, "127.0.0.1", 0)
    origin = f"https://journal.example:{server.sockets[0].getsockname()[1]}"
    policy = Policy(source="crossref", connect_seconds=0.1)

    with pytest.raises(Unavailable) as caught:
        await trusting(origin).send(Request(url=origin), policy)

    with anyio.fail_after(300):
        await hung_up.wait()
    server.close()
    assert caught.value.cause == "timeout"


async def test_a_request_cancelled_in_the_handshake_closes_its_connection(trusting):
    begun, hung_up = asyncio.Event(), asyncio.Event()

    async def stall(reader, writer):
        while await reader.read(1000):
            begun.set()
        hung_up.set()
        writer.close()

    server = await asyncio.start_server(stall, "127.0.0.1", 0)
    origin = f"https://journal.example:{server.sockets[0].getsockname()[1]}"
    task = asyncio.create_task(trusting(origin).send(Request(url=origin), POLICY))

    with anyio.fail_after(300):
        await begun.wait()
        task.cancel()
        await hung_up.wait()
    server.close()

    with pytest.raises(asyncio.CancelledError):
        await task


class Site2:
    """An HTTP/2 server that does what the path says, and records its requests."""

    def __init__(self):
        self.paths = []
        self.reset = []
        self.connections = 0
        self.waiting = asyncio.Event()
        self.was_reset = asyncio.Event()
        self.tasks = []
        self.port = 0

    async def serve(self, reader, writer):
        self.connections += 1
        self.tasks.append(asyncio.current_task())
        talk = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, validate_outbound_headers=False)
        )
        talk.initiate_connection()
        with suppress(h2.exceptions.ProtocolError), closing(writer.transport):
            writer.write(talk.data_to_send())
            while data := await reader.read(65_536):
                for event in talk.receive_data(data):
                    self.handle(event, talk, writer)
                writer.write(talk.data_to_send())

    def handle(self, event, talk, writer):
        if isinstance(event, h2.events.StreamReset):
            self.reset.append(event.stream_id)
            self.was_reset.set()
        if isinstance(event, h2.events.RequestReceived):
            path = dict(event.headers)[b":path"].decode()
            self.paths.append(path)
            getattr(self, path.strip("/").partition("?")[0], self.fine)(
                talk, event.stream_id, writer
            )

    def fine(self, talk, stream, _writer):
        talk.send_headers(stream, [(":status", "200"), ("content-length", "2")])
        talk.send_data(stream, b"ok", end_stream=True)

    def silence(self, _talk, _stream, _writer):
        self.waiting.set()

    def half(self, talk, stream, _writer):
        talk.send_headers(stream, [(":status", "200")])
        talk.send_data(stream, b"half")
        self.waiting.set()

    def flood(self, talk, stream, _writer):
        talk.send_headers(stream, [(":status", "200")])
        talk.send_data(stream, b"x" * 1500)

    def gone(self, talk, stream, _writer):
        talk.send_headers(stream, [(":status", "200")])
        talk.reset_stream(stream)

    def shut(self, talk, stream, _writer):
        talk.send_headers(stream, [(":status", "200")])
        talk.close_connection()

    def short(self, talk, stream, _writer):
        talk.send_headers(stream, [(":status", "200"), ("content-length", "9")])
        talk.send_data(stream, b"half", end_stream=True)

    def odd(self, talk, stream, _writer):
        talk.send_headers(stream, [(":status", "fine")], end_stream=True)

    def many(self, talk, stream, _writer):
        headers = [(":status", "200"), *((f"x-{number}", "1") for number in range(10_000))]
        talk.send_headers(stream, headers, end_stream=True)

    def noise(self, _talk, _stream, writer):
        # Data that belongs to no request.
        writer.write(bytes([0, 0, 4, 0, 0, 0, 0, 0, 0]) + b"data")


@pytest.fixture
async def site2(secured):
    secured.set_alpn_protocols(["h2"])
    site = Site2()
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=secured)
    site.port = server.sockets[0].getsockname()[1]
    yield site
    server.close()
    for task in site.tasks:
        task.cancel()
    await asyncio.gather(*site.tasks, return_exceptions=True)


async def test_http2_is_spoken_where_it_is_offered(site2, trusting):
    client = trusting(at(site2))
    path = "/10.1002%2F(SICI)1<2>3;2-K?a=%20"

    first = await client.send(Request(url=at(site2) + path), POLICY)
    await client.send(Request(url=at(site2) + path), POLICY)

    assert first.body == b"ok"
    assert site2.paths == [path, path]
    assert site2.connections == 1


async def test_nobody_waits_for_another_callers_connection(site2, connect, certificate):
    stuck = asyncio.Event()

    async def resolve(_host):
        if not stuck.is_set():
            stuck.set()
            await anyio.sleep_forever()
        return ["127.0.0.1"]

    client = connect(
        resolve=resolve,
        own_addresses={"crossref": at(site2)},
        ssl_context=ssl.create_default_context(cafile=certificate),
    )
    first = asyncio.create_task(client.send(Request(url=at(site2)), POLICY))

    with anyio.fail_after(300):
        await stuck.wait()
        answer = await client.send(Request(url=at(site2)), POLICY)
    first.cancel()

    assert answer.body == b"ok"
    with pytest.raises(asyncio.CancelledError):
        await first


@pytest.mark.parametrize("path", ["/silence", "/half"])
async def test_a_cancelled_request_is_called_off_and_the_others_go_on(site2, trusting, path):
    client = trusting(at(site2))
    await client.send(Request(url=at(site2)), POLICY)
    task = asyncio.create_task(client.send(Request(url=at(site2) + path), POLICY))

    with anyio.fail_after(300):
        await site2.waiting.wait()
        task.cancel()
        await site2.was_reset.wait()
        answer = await client.send(Request(url=at(site2)), POLICY)

    assert site2.reset == [3]
    assert answer.body == b"ok"
    assert site2.connections == 1
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_oversized_body_is_called_off(site2, trusting):
    client = trusting(at(site2))

    with pytest.raises(Denied) as caught:
        await client.send(Request(url=at(site2) + "/flood"), POLICY)

    with anyio.fail_after(300):
        await site2.was_reset.wait()
    assert caught.value.denial.reason == "size_cap_exceeded"
    assert (await client.send(Request(url=at(site2)), POLICY)).body == b"ok"


@pytest.mark.parametrize("path", ["/gone", "/shut", "/short"])
async def test_an_answer_that_is_broken_off_was_cut(site2, trusting, path):
    with pytest.raises(Unavailable) as caught:
        await trusting(at(site2)).send(Request(url=at(site2) + path), POLICY)

    assert caught.value.cause == "cut"


@pytest.mark.parametrize("path", ["/odd", "/many", "/noise"])
async def test_an_improper_answer_cannot_be_read_and_the_client_lives_on(site2, trusting, path):
    client = trusting(at(site2))

    with pytest.raises(BadAnswer) as caught:
        await client.send(Request(url=at(site2) + path), POLICY)

    assert caught.value.cause == "format"
    assert (await client.send(Request(url=at(site2)), POLICY)).body == b"ok"
