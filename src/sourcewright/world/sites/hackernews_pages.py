"""Hacker News's own interface: one item, member or list at a time, and null for what is not there."""

import re

from sourcewright.world import threads
from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("hacker-news.firebaseio.com",)

_ITEM = re.compile(r"/v0/item/([0-9]+)\.json")
_MEMBER = re.compile(r"/v0/user/([^/]+)\.json")
_LIST = re.compile(r"/v0/(top|new|best|ask|show|job)stories\.json")


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    path = request.decoded_path
    if found := _ITEM.fullmatch(path):
        return as_json(threads.items().get(int(found[1])))
    if found := _MEMBER.fullmatch(path):
        return as_json(threads.MEMBERS.get(found[1]))
    if found := _LIST.fullmatch(path):
        return as_json(list(threads.listed(found[1]) or ()))
    if path.startswith("/v0/") and path.endswith(".json"):
        return as_json(None)
    return as_json({"error": "404 Not Found"}, status=404)
