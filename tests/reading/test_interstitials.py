"""Bot challenges, logins and consent forms are told from the page that was requested."""

import pytest

from sourcewright.reading.interstitials import classify_page

LONG = "Slow water turns a wheel, and the wheel turns slow water into light. "


@pytest.mark.parametrize(
    ("text", "markup_bytes", "verdict"),
    [
        (LONG * 5, 1000, "ok"),
        (LONG * 5, 20 * len(LONG) * 5, "sparse"),
        (LONG * 50, 10_000_000, "ok"),
        ("", 5000, "empty"),
        ("…—!?" * 500, 5000, "empty"),
        ("Loading the tide tables, please be patient.", 5000, "shell"),
        ("潮" * 30, 200, "ok"),
        ("潮汐" * 200, 2000, "ok"),
        ("น้ำขึ้นน้ำลง" * 20, 2000, "ok"),
        ("Приливы и отливы меняют море. " * 10, 2000, "ok"),
        ("Just a moment... " * 2, 5000, "wall"),
        (f"Checking your browser before you proceed. {LONG * 3}", 5000, "wall"),
        ("Please verify you are human.", 5000, "wall"),
        ("Making sure you're not a bot!", 5000, "wall"),
        ("Please enable JS and disable any ad blocker", 5000, "wall"),
        ("We're verifying your browser. Vercel Security Checkpoint", 5000, "wall"),
        ("whoa there! Your request has been blocked due to a network policy.", 900, "wall"),
        ("Please complete the security check to access the site.", 900, "wall"),
        ("Sorry, we just need to make sure you're not a robot.", 900, "wall"),
        (f"Queues at the security checkpoint grew. {LONG * 5}", 2000, "ok"),
        (f"What MySQL means by access denied. {LONG * 12}", 2000, "ok"),
        (f"Are you a robot? An essay. {LONG * 40}", 9000, "ok"),
    ],
)
def test_a_page_is_told_from_walls_shells_and_nothing(text, markup_bytes, verdict):
    assert classify_page(text, markup_bytes=markup_bytes) == verdict


@pytest.mark.parametrize(
    ("requested_url", "final_url", "verdict"),
    [
        ("https://a.example/members", "https://a.example/login?next=/members", "login"),
        ("https://a.example/members", "https://a.example/users/Sign-In.php", "login"),
        ("https://a.example/x", "https://accounts.b.example/v2", "login"),
        ("https://a.example/in/somebody", "https://a.example/authwall?trk=x", "login"),
        ("https://a.example/login", "https://a.example/login", "ok"),
        ("https://www.a.example/", "https://consent.a.example/m?continue=x", "consent"),
        ("https://a.example/", "https://b.example/v2/collectConsent?id=1", "consent"),
        ("https://consent.a.example/", "https://consent.a.example/about", "ok"),
        ("https://a.example/x", "https://a.example/blog/loginov", "ok"),
        ("https://a.example/x", "https://[broken", "ok"),
    ],
)
def test_being_sent_to_log_in_or_to_consent_is_no_page(requested_url, final_url, verdict):
    assert (
        classify_page(LONG * 3, markup_bytes=500, requested_url=requested_url, final_url=final_url)
        == verdict
    )


def test_a_long_page_is_judged_by_its_start_alone():
    assert classify_page(LONG * 100_000, markup_bytes=10**7) == "ok"


MARKS = [
    b"<script>window._cf_chl_opt={cvId: '3'}</script>",
    b"<script>var dd={'host':'geo.captcha-delivery.com'}</script>",
    b'<iframe src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=5">x</iframe>',
    b"<script>AwsWafIntegration.saveReferrer();</script>",
    b"<meta http-equiv=refresh content=\"5; URL='/?bm-verify=AAQ'\">",
    b"<script>window.KPSDK={};</script>",
]


@pytest.mark.parametrize("mark", MARKS)
def test_a_wall_that_shows_nothing_is_known_by_its_marks(mark):
    assert classify_page("", markup_bytes=len(mark), markup=mark) == "wall"
    assert classify_page(LONG * 5, markup_bytes=len(mark), markup=mark) == "ok"
    assert classify_page("", markup_bytes=0, markup=mark + b" " * 200_000) == "empty"


def test_a_form_for_consent_is_known_in_any_language():
    form = b'<form action="https://consent.youtube.com/s" method="POST"><button>Ja</button></form>'

    assert (
        classify_page(f"Bevor es weitergeht. {LONG * 5}", markup_bytes=0, markup=form) == "consent"
    )
    assert classify_page(LONG * 500, markup_bytes=0, markup=form) == "ok"


def test_what_guards_leave_on_the_pages_behind_them_is_no_wall():
    script = b'<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'
    other = b'<script src="/_Incapsula_Resource?SWJIYLWA=719d34d3"></script>'

    assert classify_page("A short page.", markup_bytes=500, markup=script + other) == "empty"


@pytest.mark.parametrize(
    "text",
    [
        "You must be 18 years or older to enter this site. Enter Leave",
        "Are you over 18 and willing to see adult content? Yes No",
        "Dieser Bereich ist nur für Personen über 18 Jahren. Eintreten Verlassen",
        "Vous devez avoir plus de 18 ans. Entrer Quitter",
        "Este sitio es para mayores de 18 años. Entrar Salir",
        "このサイトは18歳以上の方のみご覧いただけます。はい いいえ",
        "Please confirm your age. I am of legal drinking age: yes / no",
    ],
)
def test_a_question_for_the_visitors_age_is_no_page(text):
    assert classify_page(text, markup_bytes=0) == "age"


@pytest.mark.parametrize(
    "text",
    [
        (
            "We value your privacy. We and our partners store cookies for personalised advertising, "
            "with your consent. Accept all Reject all Manage settings"
        ),
        (
            "Wir und unsere Partner verwenden Cookies für personalisierte Werbung, wenn Sie "
            "einwilligen. Alle akzeptieren Ablehnen Einstellungen Datenschutz"
        ),
        (
            "Nos partenaires et nous utilisons des cookies pour une publicité personnalisée. "
            "Accepter Refuser Paramétrer Confidentialité"
        ),
    ],
)
def test_a_question_for_consent_to_cookies_is_no_page(text):
    assert classify_page(text, markup_bytes=0) == "consent"


@pytest.mark.parametrize(
    ("text", "buttons", "verdict"),
    [
        (
            "Bist du über 18? Diese Seite enthält Inhalte, die nur für Erwachsene bestimmt sind.",
            "<button><span>Ja, ich bin über 18</span></button><button>Nein</button>",
            "age",
        ),
        (
            (
                "You must be 21 years of age to visit a site about wines and spirits of the coast, and "
                "to read what its makers write about them."
            ),
            "<input type=submit value='Enter'> <input type=button value='Leave'>",
            "age",
        ),
        (
            (
                "We value your privacy. We and our 842 partners store information on a device, such as "
                "cookies, for personalised content."
            ),
            "<button>Accept all</button><button>Reject all</button><button>Manage</button>",
            "consent",
        ),
        (
            f"The brewery is over 18. {LONG * 3}",
            "<button>Share</button><input value='Yes, no'>",
            "ok",
        ),
    ],
)
def test_what_an_interstitial_offers_may_be_on_its_buttons(text, buttons, verdict):
    markup = f"<html><body><p>{text}</p>{buttons}</body></html>".encode()

    assert classify_page(text, markup_bytes=len(markup), markup=markup) == verdict


@pytest.mark.parametrize(
    "text",
    [
        f"The brewery is 18 years old this year, and it continues to grow. {LONG}",
        f"Tickets are sold to visitors over 18. {LONG * 5} Enter by the gate, leave by the pier.",
        f"We use cookies to keep you signed in. Read our privacy policy. {LONG}",
    ],
)
def test_a_page_that_mentions_age_or_cookies_is_one(text):
    assert classify_page(text, markup_bytes=0) == "ok"
