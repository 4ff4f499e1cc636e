"""Invented stories and comments of Hacker News, for both of its APIs."""

from functools import cache
from typing import Any

START = 1_760_000_000
STORY, ASK, JOB, POLL, FRESH, LONG, QUIET = range(41_000_001, 41_000_008)
"""A discussed story, a question with a text, a job, a poll, a story too new for Algolia, one
with very many comments, and one without any."""
LISTED = tuple(range(41_000_100, 41_000_125))
MANY = 640
_LISTS = {
    "top": (STORY, ASK, *LISTED),
    "new": (FRESH, *reversed(LISTED)),
    "best": LISTED,
    "ask": (ASK,),
    "show": LISTED[:3],
    "job": (JOB,),
}
MEMBERS: dict[str, dict[str, Any]] = {
    "lampkeeper": {
        "id": "lampkeeper",
        "created": START - 90_000_000,
        "karma": 4321,
        "about": 'I keep lamps.<p>Write to me at <a href="https:&#x2F;&#x2F;lamps.example">'
        "https:&#x2F;&#x2F;lamps.example</a>",
        "submitted": [STORY, ASK],
    }
}


def listed(name: str) -> tuple[int, ...] | None:
    """The ids in a list, best first."""
    return _LISTS.get(name)


@cache
def items() -> dict[int, dict[str, Any]]:
    """Every item by its id, in the format of the official API."""
    threads = [
        *_discussion(),
        _item(ASK, "story", "lampkeeper", title="Ask HN: How do you trim a wick?", score=12)
        | {
            "text": "Mine smokes.<p>I tried <i>everything</i>:<p><pre><code>  trim()\n"
            "    wait()\n</code></pre>",
            "descendants": 0,
        },
        _item(JOB, "job", "harbour", title="Harbour Works is hiring a diver", score=1)
        | {"url": "https://harbour.example/jobs"},
        _item(POLL, "poll", "tiller", title="Poll: Which rope?", score=46)
        | {"parts": [POLL + 900, POLL + 901], "text": "", "descendants": 0},
        _item(POLL + 900, "pollopt", "tiller", score=30) | {"text": "Hemp", "poll": POLL},
        _item(POLL + 901, "pollopt", "tiller", score=16) | {"text": "Nylon", "poll": POLL},
        _item(FRESH, "story", "tiller", title="A new buoy", score=2)
        | {"kids": [FRESH + 700], "descendants": 1},
        _item(FRESH + 700, "comment", "gull") | {"parent": FRESH, "text": "First to see it."},
        *_endless(),
        _item(QUIET, "story", "gull", title="Nobody said a word", score=1) | {"descendants": 0},
        *(
            _item(number, "story", "gull", title=f"Story number {number}", score=number % 100)
            | {"url": f"https://blog.lakeside.example/{number}", "descendants": 3}
            for number in LISTED
        ),
    ]
    return {one["id"]: one for one in threads}


def tree(number: int) -> dict[str, Any] | None:
    """An item with all comments below it, in Algolia's format; None for the newest story."""
    item = items().get(number)
    if item is None or number == FRESH:
        return None
    top = _node(item, item)
    waiting = [(item, top)]
    while waiting:
        above, node = waiting.pop()
        for kid in sorted(above.get("kids", ())):
            below = _node(items()[kid], item)
            node["children"].append(below)
            waiting.append((items()[kid], below))
    return top


def _discussion() -> list[dict[str, Any]]:
    """A story whose best comment is not the first, with a deleted comment that has a reply."""
    first, best, reply, gone, late = range(STORY + 500, STORY + 505)
    return [
        _item(STORY, "story", "lampkeeper", title="Tide clocks are back", score=111)
        | {"url": "https://clocks.example/tides", "kids": [best, first], "descendants": 4},
        _item(first, "comment", "gull") | {"parent": STORY, "text": "It&#x27;s about time."},
        _item(best, "comment", "tiller")
        | {"parent": STORY, "kids": [reply, gone], "text": "Mine runs slow.<p>Since May."},
        _item(reply, "comment", "lampkeeper") | {"parent": best, "text": "Wind it at neaps."},
        {
            "id": gone,
            "type": "comment",
            "deleted": True,
            "time": START,
            "parent": best,
            "kids": [late],
        },
        _item(late, "comment", "harbour") | {"parent": gone, "text": "Why was that deleted?"},
    ]


def _endless() -> list[dict[str, Any]]:
    """A story with many threads of ten nested replies."""
    numbers = list(range(LONG + 10_000, LONG + 10_000 + MANY))
    tops = numbers[::10]
    story = _item(LONG, "story", "gull", title="Everybody has an opinion", score=900)
    comments = [
        _item(number, "comment", f"voice{at}")
        | {"text": f"Opinion number {at}.", "parent": LONG if at % 10 == 0 else number - 1}
        | ({"kids": [number + 1]} if at % 10 < 9 and at + 1 < MANY else {})
        for at, number in enumerate(numbers)
    ]
    return [story | {"kids": tops, "descendants": MANY}, *comments]


def _item(number: int, kind: str, by: str, **more: Any) -> dict[str, Any]:
    return {"id": number, "type": kind, "by": by, "time": START + number % 10_000, **more}


def _node(item: dict[str, Any], story: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": item["id"],
        "created_at": "2025-10-09T08:53:20.000Z",
        "created_at_i": item["time"],
        "type": item["type"],
        "author": item.get("by"),
        "title": item.get("title"),
        "url": item.get("url"),
        "text": item.get("text"),
        "points": item.get("score"),
        "parent_id": item.get("parent"),
        "story_id": story["id"],
        "children": [],
        "options": [],
    }
