"""Whether what was read is the page."""

import pytest

from sourcewright.logic.judging import judge

LONG = "Slow water turns a wheel, and the wheel turns slow water into light. "


@pytest.mark.parametrize(
    ("text", "markup_bytes", "verdict"),
    [
        (LONG * 5, 1000, "ok"),
        (LONG * 5, 20 * len(LONG) * 5, "shell"),
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
        (f"What MySQL means by access denied. {LONG * 12}", 2000, "ok"),
        (f"Are you a robot? An essay. {LONG * 40}", 9000, "ok"),
    ],
)
def test_a_page_is_told_from_walls_shells_and_nothing(text, markup_bytes, verdict):
    assert judge(text, markup_bytes=markup_bytes) == verdict


@pytest.mark.parametrize(
    ("asked", "found", "verdict"),
    [
        ("https://a.example/members", "https://a.example/login?next=/members", "login"),
        ("https://a.example/members", "https://a.example/users/Sign-In.php", "login"),
        ("https://a.example/x", "https://accounts.b.example/v2", "login"),
        ("https://a.example/login", "https://a.example/login", "ok"),
        ("https://a.example/x", "https://a.example/blog/loginov", "ok"),
        ("https://a.example/x", "https://[broken", "ok"),
    ],
)
def test_being_sent_to_log_in_is_no_page(asked, found, verdict):
    assert judge(LONG * 3, markup_bytes=500, asked=asked, found=found) == verdict


def test_a_long_page_is_judged_by_its_start_alone():
    assert judge(LONG * 100_000, markup_bytes=10**7) == "ok"
