"""Mirrors that the operator names, against the simulated ones and their faults."""

import pytest

from sourcewright.base.errors import BadAnswer, Denied, NotFound, Refused, Unavailable
from sourcewright.domain.capabilities import DeliversPapers
from sourcewright.world import pdf

pytestmark = pytest.mark.anyio

FIRST, SECOND, VAULT = "mirror.shadow.example", "second.shadow.example", "vault.shadow.example"
ONLY_HERE = "10.5555/mirrored-only"
SHOWN = [
    ONLY_HERE,
    "10.5555/mirrored-iframe",
    "10.5555/mirrored-object",
    "10.5555/mirrored-button",
    "10.5555/mirrored-link",
]
SICI = "10.99006/(SICI)2999-0080(199905/06)7:3<101::AID-OLD42>3.0.CO;2-X"


def on(*hosts):
    """The settings under which these mirrors are enabled."""
    origins = ",".join(f"https://{host}" for host in hosts)
    return {"SCIHUB_MIRRORS": origins, "SCIHUB_ACCEPT_RESPONSIBILITY": "1"}


@pytest.fixture
def mirrors(application):
    """The wired mirrors, in the operator's order."""

    async def build(*hosts, **changes):
        return (await application(**on(*(hosts or (FIRST,))), **changes)).services.papers.mirrors

    return build


@pytest.fixture
def deliver(mirrors):
    """Requests one paper from one mirror."""

    async def run(doi, host=FIRST):
        [mirror] = await mirrors(host)
        return await mirror.deliver(doi)

    return run


@pytest.fixture
def paper(internet):
    return lambda doi: pdf.paper(internet.corpus.by_doi(doi))


async def test_without_the_operators_word_there_is_no_mirror(application):
    assert (await application()).services.papers.mirrors == ()


async def test_every_mirror_hands_out_papers_in_the_operators_order(mirrors, internet):
    built = await mirrors(SECOND, FIRST)

    for mirror in built:
        assert isinstance(mirror, DeliversPapers)
        await mirror.deliver(ONLY_HERE)
    assert [seen.host for seen in internet.seen] == [SECOND, SECOND, FIRST, VAULT]


@pytest.mark.parametrize("host", [FIRST, SECOND])
@pytest.mark.parametrize("doi", SHOWN)
async def test_the_file_is_found_however_a_page_shows_it(deliver, paper, doi, host):
    file = await deliver(doi, host)

    assert file.body == paper(doi)
    assert file.hops == (f"https://{host}/{doi}", file.url)
    assert file.url.startswith(f"https://{VAULT if host == FIRST else SECOND}/downloads/")
    assert "#" not in file.url


async def test_a_mirror_may_send_the_file_at_once(deliver, paper):
    doi = "10.5555/mirrored-directly"

    file = await deliver(doi)

    assert file.body == paper(doi)
    assert file.hops == (file.url,) == (f"https://{FIRST}/{doi}",)


async def test_characters_that_addresses_keep_for_themselves_are_part_of_the_doi(deliver, paper):
    assert (await deliver(SICI.lower())).body == paper(SICI)


@pytest.mark.parametrize("doi", ["10.5555/mirror-lacks-it", "10.5555/nobody.registered.this"])
async def test_what_a_mirror_says_in_its_own_words_is_absence(deliver, doi):
    with pytest.raises(NotFound) as caught:
        await deliver(doi)

    assert caught.value.source == "scihub"


OWN_WORDS = [
    "<p>Unfortunately, Sci-Hub doesn&#39;t have the requested document:</p>",
    "<p>Unfortunately, Sci-Hub doesn&rsquo;t have\n the requested document:</p>",
    "<p>This paper is not available through Sci-Hub</p>",
    "<title>Sci-Hub</title><h1>article not found</h1>",
    "<title>Sci-Hub</title><h1>статья не найдена</h1>",
]


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("words", OWN_WORDS)
async def test_older_words_of_absence_count_with_either_status(deliver, internet, words, status):
    internet.says(FIRST, words.encode(), content_type="text/html", status=status)

    with pytest.raises(NotFound):
        await deliver(ONLY_HERE)


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize(
    ("page", "failure"),
    [
        (b"<h1>Article not found</h1>", BadAnswer),
        (b"<html><body>This domain is for sale</body></html>", BadAnswer),
        (b"<script>document.write('not yet available in my database')</script>", BadAnswer),
        (b"<!-- not yet available in my database -->", BadAnswer),
        (b"<embed src='/'><iframe src='/adverts'></iframe><a href='/x.pdf'>x</a>", BadAnswer),
        (b"<embed src='javascript:alert(1)//.pdf'><object data='data:x/y,.pdf'>", BadAnswer),
        (b"<embed src='file:///etc/passwd.pdf'><embed src='//[bad/x.pdf'>", BadAnswer),
        (b"not yet available in my database <img id='captcha' src='/img'>", Refused),
        (b"<div class='g-recaptcha'></div>", Refused),
        (b"<title>Just a moment...</title>", Refused),
    ],
)
async def test_a_page_that_does_not_know_is_never_absence(deliver, internet, page, failure):
    internet.says(FIRST, page, content_type="text/html")

    with pytest.raises(failure) as caught:
        await deliver(ONLY_HERE)

    assert caught.value.source == "scihub"


@pytest.mark.parametrize("doi", ["10.5555/mirror-says-nothing", "10.5555/mirror-rambles"])
async def test_an_empty_or_unknown_page_cannot_be_read(deliver, doi):
    with pytest.raises(BadAnswer):
        await deliver(doi)


@pytest.mark.parametrize(
    "doi", ["10.5555/mirror-asks-for-captcha", "10.5555/mirror-checks-browser"]
)
async def test_a_captcha_is_called_one_and_is_not_solved(deliver, internet, doi):
    with pytest.raises(Refused, match="captcha"):
        await deliver(doi)

    assert len(internet.seen) == 1


async def test_another_mirror_may_ask_for_no_captcha(deliver, paper):
    doi = "10.5555/mirror-asks-for-captcha"

    assert (await deliver(doi, SECOND)).body == paper(doi)


@pytest.mark.parametrize("host", [FIRST, SECOND])
async def test_a_lost_file_says_nothing_about_the_paper(deliver, host):
    with pytest.raises(BadAnswer) as caught:
        await deliver("10.5555/mirror-lost-the-file", host)

    assert caught.value.status == 404


async def test_a_wrong_paper_is_left_to_the_check_of_the_file(deliver, paper):
    file = await deliver("10.5555/mirror-shows-another")

    assert file.body == paper("10.5555/fine-paper")


@pytest.mark.parametrize("body", [b"<html>captcha</html>", b"", b"%PDX-1.7"])
async def test_a_file_that_is_none_is_refused(deliver, internet, body):
    internet.says(VAULT, body, content_type="application/pdf")

    with pytest.raises(Denied) as caught:
        await deliver(ONLY_HERE)

    assert caught.value.denial.reason == "content_type_mismatch"
    assert caught.value.denial.source == "scihub"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("https://127.0.0.1/x.pdf", "ssrf_private_address"),
        ("http://169.254.169.254/latest/x.pdf", "ssrf_private_address"),
        ("//localhost/x.pdf", "ssrf_private_address"),
        ("https://[::1]/x.pdf", "ssrf_private_address"),
        ("https://user:word@vault.shadow.example/x.pdf", "host_in_block_list"),
        ("https://vault.shadow.example:22/x.pdf", "host_in_block_list"),
    ],
)
async def test_an_address_in_a_page_leads_nowhere_private(deliver, internet, address, reason):
    page = f'<embed type="application/pdf" src="{address}">'
    internet.says(FIRST, page.encode(), content_type="text/html")

    with pytest.raises(Denied) as caught:
        await deliver(ONLY_HERE)

    assert caught.value.denial.reason == reason
    assert [seen.host for seen in internet.seen] == [FIRST]


@pytest.mark.parametrize(
    "shown",
    [
        "<embed src='http://{}/a.pdf#view=FitH'>",
        "<EMBED SRC=HTTP://{}/a.pdf>",
        "<iframe src=//{}/a.pdf#navpanes=0&view=FitH></iframe>",
        "<object data='https://{}/a.pdf'></object>",
        "<button onclick='location.href=&quot;https:\\/\\/{}\\/a.pdf&quot;'>save</button>",
        "<div id=buttons><a href='#' onclick=\"location.href='//{}/a.pdf'\">save</a></div>",
        "<div class='big download'><a href='//{}/a.pdf'>save</a></div>",
    ],
)
async def test_whatever_its_form_an_address_is_asked_for_by_https(deliver, internet, shown):
    internet.says(FIRST, shown.format(VAULT).encode(), content_type="text/html")
    internet.says(VAULT, b"%PDF-1.7 x", content_type="application/pdf")

    assert (await deliver(ONLY_HERE)).url == f"https://{VAULT}/a.pdf"


async def test_a_mirror_named_by_http_is_asked_by_https(application):
    changes = on(FIRST) | {"SCIHUB_MIRRORS": f"http://{FIRST}"}
    [mirror] = (await application(**changes)).services.papers.mirrors

    file = await mirror.deliver(ONLY_HERE)

    assert file.hops[0] == f"https://{FIRST}/{ONLY_HERE}"


async def test_a_mirror_that_is_down_does_not_keep_the_next_from_being_asked(mirrors, internet):
    internet.unplugs(FIRST)
    first, second = await mirrors(FIRST, SECOND, CIRCUIT_FAILURE_THRESHOLD="1")

    for _ in range(2):
        with pytest.raises(Unavailable):
            await first.deliver(ONLY_HERE)
    tries = len(internet.requests_to(FIRST))
    with pytest.raises(Unavailable, match="scihub"):
        await first.deliver(ONLY_HERE)

    assert len(internet.requests_to(FIRST)) == tries
    assert (await second.deliver(ONLY_HERE)).body.startswith(b"%PDF-")
