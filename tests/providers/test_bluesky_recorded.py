"""Bluesky, over the recorded answers."""

import json

from sourcewright.providers.bluesky.posts import read_thread
from sourcewright.reading.readings import PostStatistics

NOW = 1_790_000_000.0


def test_every_recorded_thread_is_read(recorded):
    files = [json.loads(file.read_text(encoding="utf-8")) for file in recorded("bluesky")]
    threads = [answer for answer in files if "thread" in answer]

    with_media, post = (read_thread(answer, NOW) for answer in threads)

    assert post.author == "Bluesky"
    assert post.published == "2026-07-09T19:50:16Z"
    assert post.reception == PostStatistics(upvotes=3456, comments=253)
    assert "v1.127 is live!" in post.content
    assert '[Image: A rendering of the new "Filters" button' in post.content
    assert with_media.author == "Python SDK"
    assert with_media.title == "Post by Python SDK"
    assert "> Python SDK: test" in with_media.content
