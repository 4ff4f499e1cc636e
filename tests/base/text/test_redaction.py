"""Masking: secrets go, everything else stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.text.redaction import MASK, Masker, mask_patterns

HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


@pytest.mark.parametrize(
    "secret",
    [
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "sk-abcdefghijklmnopqrstuvwx",
        "sk-ant-api03-AbCdEf_0123456789",
        "BSAabcdefghijklmnopqrstuvwxyz01",
        "tvly-dev-0123456789",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9",
        "xoxb-1234567890-abcdef",
    ],
)
@pytest.mark.parametrize("around", ["{}", "the key {} was refused", "'{}'", "x={}&y=1", "({})."])
def test_what_looks_like_a_key_is_masked_wherever_it_stands(secret, around):
    masked = mask_patterns(around.format(secret))

    assert secret not in masked
    assert MASK in masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("https://x.org/a?api_key=abc&q=tides", "https://x.org/a?api_key=***&q=tides"),
        ("https://x.org/a?q=tides&key=abc#top", "https://x.org/a?q=tides&key=***#top"),
        ("https://x.org/?apikey=a", "https://x.org/?apikey=***"),
        ("https://x.org/?access_token=a", "https://x.org/?access_token=***"),
        ("https://x.org/?token=a", "https://x.org/?token=***"),
        ("https://x.org/?client_secret=a", "https://x.org/?client_secret=***"),
        ("https://x.org/?password=a", "https://x.org/?password=***"),
        ("https://x.org/?email=me%40x.org", "https://x.org/?email=***"),
        ("https://x.org/?mailto=me@x.org", "https://x.org/?mailto=***"),
        ("https://x.org/?X-Amz-Signature=ab", "https://x.org/?X-Amz-Signature=***"),
        ("go?u=https%3A%2F%2Fx.org%3Fapi_key%3Dabc", "go?u=https%3A%2F%2Fx.org%3Fapi_key%3D***"),
        ("https://me:pw@x.org/a", "https://***@x.org/a"),
        ("https://me@x.org/a", "https://***@x.org/a"),
        ("login me:pw9@host failed", "login ***@host failed"),
        ("BRAVE_API_KEY=abc", "BRAVE_API_KEY=***"),
        ("Authorization: Bearer x", "Authorization: ***"),
        ("authorization: Basic dTpw\r\nAccept: a", "authorization: ***\r\nAccept: a"),
        ("X-Subscription-Token: abc def", "X-Subscription-Token: ***"),
        ("x-api-key:abc", "x-api-key:***"),
        ("Set-Cookie: sid=1; Path=/", "Set-Cookie: ***"),
        ("sent Bearer abcdef.g", "sent Bearer ***"),
        ("sent Basic dXNlcjpwYXNz", "sent Basic ***"),
        ('{"api_key": "abc", "q": "tides"}', '{"api_key": "***", "q": "tides"}'),
        ("{'X-API-Key': 'abc'}", "{'X-API-Key': '***'}"),
        ('{"Authorization":"Bearer a"}', '{"Authorization":"***"}'),
        ("password: hunter", "password: ***"),
        (f"key {HASH}", "key ***"),
        (f"CACHE_ENCRYPTION_KEY={HASH}", "CACHE_ENCRYPTION_KEY=***"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----", "***"),
    ],
)
def test_what_is_labelled_as_a_secret_is_masked_and_its_label_stays(text, masked):
    assert mask_patterns(text) == masked
    assert mask_patterns(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        f"this_hash {HASH} follows {HASH}",
        f'{{"canonical_digest":"{HASH}"}}',
        "doi:10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O",
        "10.1016/S0370-1573(98)00122-3",
        "https://doi.org/10.1234/example?lang=en&page=2",
        "basic research on risk-assessment in key-value stores",
        "the keyword token expired: try again",
        "crossref: the answer of /works changed shape (KeyError('message'))",
        "at 12:30, see https://example.org:8443/a@b",
        "arXiv:2401.12345v2 by Müller, 東京",
        '{"ref": "10.1234/abc", "max_length": 5000}',
    ],
)
def test_what_is_no_secret_stays_as_it_is(text):
    assert mask_patterns(text) == text


def test_configured_values_are_masked_in_every_spelling():
    mask = Masker(['p w/"x"', "hunter22", "hunter22-longer", "abc", ""])

    masked = mask('p w/"x" p%20w%2F%22x%22 p+w%2F%22x%22 "p w/\\"x\\"" hunter22-longer! abc')

    assert masked == '*** *** *** "***" ***! abc'


def test_a_value_from_an_environment_that_is_no_utf8_is_masked_too():
    assert Masker(["ab\udcffcd"])("is ab\udcffcd") == "is ***"


def test_values_inside_structures_are_masked_by_their_name_too():
    mask = Masker(["hunter22"])

    masked = mask.deep(
        {
            "apiKey": "short",
            "contact_email": "me@x.org",
            "list": ["hunter22", 1, None, True],
            "hunter22": "x",
            "tokens_used": 12,
            "nested": {"Authorization": "a"},
        }
    )

    assert masked == {
        "apiKey": "***",
        "contact_email": "***",
        "list": ["***", 1, None, True],
        "***": "x",
        "tokens_used": 12,
        "nested": {"Authorization": "***"},
    }


def test_a_structure_without_a_floor_ends_in_a_mask():
    endless: dict[str, object] = {}
    endless["in"] = endless

    assert str(Masker().deep(endless)).count("in") < 10


@pytest.mark.parametrize(
    "piece", ["a-", "x-key-", "key=", '"key', "password:", "://a", "eyJa.", "Bearer "]
)
def test_no_text_makes_masking_slow(piece):
    """Finishes within the suite's limit only when the work grows with the length."""
    mask_patterns(piece * (100_000 // len(piece)))


@pytest.mark.promise("wire.secrets-never-show")
@given(text=st.text(), secret=st.text(st.characters(exclude_characters="*"), min_size=4))
def test_no_configured_value_survives(text, secret):
    masked = Masker([secret])(f"{text}{secret}{text}")

    assert secret not in masked


@pytest.mark.parametrize(
    ("secret", "is_masked"),
    [
        ("sk0123456789abcdef", True),
        ("aB3$aB3$", True),
        ("correcthorsebatterystaple", True),
        ("word", False),
        ("Tidal-Energy", False),
        ("password", False),
        ("20250101", False),
    ],
)
def test_what_sources_said_loses_keys_and_keeps_its_words(secret, is_masked):
    message = f"a text about {secret} and more"

    assert (secret not in Masker([secret]).keys(message)) is is_masked
    assert secret not in Masker([secret]).mask_secrets(message)
