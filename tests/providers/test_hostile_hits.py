"""Lists of hits in which anything may have any type: read sensibly, or refused, never a crash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.errors import UpstreamError
from sourcewright.domain.search.results import hits_of, image_hit, news_hit, web_hit
from sourcewright.providers import brave, google, searchapi, serper

REFUSED = (LookupError, TypeError, ValueError, AttributeError, UpstreamError)
NOW = 1_750_000_000.0

PAGE = {"title": "T", "link": "https://a.example/x", "snippet": "S", "date": "2 days ago"}
DONE = {"search_metadata": {"status": "Success"}}
SAMPLES = {
    "google": {
        "kind": "customsearch#search",
        "searchInformation": {"totalResults": "1"},
        "items": [
            PAGE
            | {
                "displayLink": "a.example",
                "pagemap": {"metatags": [{"date": "2024-01-01"}], "newsarticle": [{}]},
                "image": {"thumbnailLink": "https://a.example/t", "width": 3, "byteSize": 9},
            }
        ],
    },
    "brave pages": {
        "type": "search",
        "query": {"original": "x"},
        "mixed": {"main": [{"type": "web"}]},
        "web": {
            "results": [
                {
                    "title": "T",
                    "url": "https://a.example/x",
                    "description": "D",
                    "extra_snippets": ["E"],
                    "page_age": "2024-01-01T00:00:00",
                    "meta_url": {"hostname": "a.example"},
                }
            ]
        },
    },
    "brave pictures": {
        "type": "images",
        "results": [
            {
                "title": "T",
                "url": "https://a.example/x",
                "thumbnail": {"src": "https://a.example/t"},
                "properties": {"url": "https://a.example/x.png", "width": 3, "height": 4},
            }
        ],
    },
    "serper pages": {"organic": [PAGE | {"source": "A"}]},
    "serper pictures": {
        "images": [PAGE | {"imageUrl": "https://a.example/x.png", "imageWidth": 3}]
    },
    "searchapi pages": DONE | {"organic_results": [PAGE | {"source": "A"}]},
    "searchapi pictures": DONE
    | {
        "images": [
            {
                "title": "T",
                "original": {"link": "https://a.example/x.png", "width": 3, "size": "9KB"},
                "source": {"link": "https://a.example/x", "name": "A"},
                "thumbnail": "data:image/png;base64,AA==",
            }
        ]
    },
}
READERS = {
    "google": google.read_hits,
    "brave pages": brave.read_pages,
    "brave pictures": brave.read_images,
    "serper pages": lambda answer: serper.read_hits(answer, "organic"),
    "serper pictures": lambda answer: serper.read_hits(answer, "images"),
    "searchapi pages": searchapi.read_pages,
    "searchapi pictures": searchapi.read_images,
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("make", [web_hit, news_hit, image_hit])
def test_the_untouched_sample_is_read(name, make):
    assert len(hits_of(READERS[name](SAMPLES[name]), make, NOW)) == 1


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_a_changed_answer_is_read_or_refused(spoilt, name, data):
    changed = spoilt(SAMPLES[name], data)
    make = data.draw(st.sampled_from([web_hit, news_hit, image_hit]))

    try:
        hits = hits_of(READERS[name](changed), make, NOW)
    except REFUSED:
        return
    for hit in hits:
        place = hit.link if make is image_hit else hit.url
        assert place.startswith("https://a.example/x")
        assert isinstance(hit.title, str)
        assert hit.title
