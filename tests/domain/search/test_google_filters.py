"""Filters in Google's parameters: translated exactly, or named as unsupported."""

import pytest

from sourcewright.domain.search import google_filters
from sourcewright.domain.web.queries import Query


def query(**filters):
    return Query(kind="images", text="x", limit=5, **filters)


@pytest.mark.parametrize(
    ("filters", "parts"),
    [
        ({}, {}),
        ({"size": "icon"}, {"size": "isz:i"}),
        ({"size": "medium"}, {"size": "isz:m"}),
        ({"size": "large"}, {"size": "isz:l"}),
        ({"size": "huge"}, {"size": "isz:l"}),
        ({"size": "small"}, {}),
        ({"type": "face"}, {"type": "itp:face"}),
        ({"type": "stock"}, {}),
        ({"color_type": "gray"}, {"color_type": "ic:gray"}),
        ({"color_type": "mono"}, {"color_type": "ic:gray"}),
        ({"color_type": "trans"}, {"color_type": "ic:trans"}),
        ({"dominant_color": "red"}, {"dominant_color": "ic:specific,isc:red"}),
        (
            {"dominant_color": "red", "color_type": "gray"},
            {"dominant_color": "ic:specific,isc:red"},
        ),
        ({"file_type": "png"}, {"file_type": "ift:png"}),
    ],
)
def test_a_filter_of_pictures_has_its_own_part(filters, parts):
    assert google_filters.image_filters(query(**filters)) == parts


def test_a_filter_that_only_a_wider_one_stands_for_is_not_exact():
    outcome = query(size="huge", color_type="mono", type="face")

    assert google_filters.exact_filters(outcome, google_filters.image_filters(outcome)) == {"type"}


@pytest.mark.parametrize(
    ("language", "value"),
    [
        ("de", "lang_de"),
        ("he", "lang_iw"),
        ("zh", "lang_zh-CN"),
        ("nb", "lang_no"),
        ("tlh", None),
        (None, None),
    ],
)
def test_a_language_restricts_where_it_is_known(language, value):
    assert google_filters.lr_value(query(language=language)) == value


@pytest.mark.parametrize(
    ("language", "variant", "values"),
    [
        ("zh", "hant", ("lang_zh-TW", "zh-tw")),
        ("zh", "hans", ("lang_zh-CN", "zh-cn")),
        ("pt", "br", ("lang_pt", "pt-br")),
        ("sr", "latn", ("lang_sr", "sr")),
    ],
)
def test_the_written_forms_of_a_language_have_codes_of_their_own(language, variant, values):
    one = query(language=language, language_variant=variant)

    assert (google_filters.lr_value(one), google_filters.hl_value(one)) == values


def test_the_united_kingdom_goes_by_its_old_code():
    assert [google_filters.gl_value(country) for country in ("gb", "de")] == ["uk", "de"]


@pytest.mark.parametrize(
    ("time_range", "part"),
    [
        ("hour", "qdr:h"),
        ("day", "qdr:d"),
        ("week", "qdr:w"),
        ("month", "qdr:m"),
        ("year", "qdr:y"),
    ],
)
def test_a_time_range_is_its_initial(time_range, part):
    assert google_filters.recency_filter(query(time_range=time_range)) == {"time_range": part}


def test_a_page_says_when_it_was_published_the_clearest_first():
    pagemap = {
        "newsarticle": [{"datepublished": "2024-01-02"}],
        "metatags": [{"date": "2024", "article:published_time": "2024-01-01", "viewport": "x"}],
    }

    assert list(google_filters.published_dates_in(pagemap)) == ["2024-01-01", "2024-01-02", "2024"]
    assert list(google_filters.published_dates_in(None)) == []
