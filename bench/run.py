"""Prints ratios against named peers, measured in the same run, in turns."""

import argparse
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from statistics import median
from typing import NamedTuple

import articles
import audit_speed
import batch_fetch
import browser
import citation_strings
import company_facts
import each_call
import economy
import extraction
import first_call
import first_list
import gathering
import growth
import http_call
import known_items
import library_search
import pdf_documents
import retractions
import scholar
import search_calls
import search_routing
import sessions
import trust
from talking import Contender

OURS = Contender(
    "sourcewright", [sys.executable, "-m", "sourcewright", "serve"], "doiget_health", {}
)
ECHO = Contender(
    "SDK echo tool",
    [sys.executable, str(Path(__file__).with_name("echo_server.py"))],
    "echo",
    {"word": "x"},
)


class Bench(NamedTuple):
    """One measurement of two servers, and how their ratio should come out."""

    name: str
    measure: Callable[[Contender], float]
    peer: Contender
    goal: float
    rounds: int


def compare(bench: Bench) -> str:
    """Measure in turns, so that both run under the same load; give a row of the table."""
    for warm_up in (OURS, bench.peer):
        bench.measure(warm_up)
    pairs = [(bench.measure(OURS), bench.measure(bench.peer)) for _ in range(bench.rounds)]
    ours, theirs = zip(*pairs, strict=True)
    ratio = median(ours) / median(theirs)
    verdict = "PASS" if ratio <= bench.goal else "MISS"
    return (
        f"{bench.name:<34} {bench.peer.name:<18}"
        f" {median(ours):>9.2f} {median(theirs):>9.2f} {ratio:>7.3f}"
        f" {min(ours) / min(theirs):>7.3f} {bench.goal:>6.2f}  {verdict}"
    )


def row(name: str, against: str, pair: tuple[float, float], goal: float) -> str:
    """A row of the table for what was measured once."""
    ratio = pair[0] / pair[1]
    return (
        f"{name:<34} {against:<18} {pair[0]:>9.2f} {pair[1]:>9.2f} {ratio:>7.3f}"
        f" {'':>7} {goal:>6.2f}  {'PASS' if ratio <= goal else 'MISS'}"
    )


def main() -> None:
    """Run every bench and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", required=True, help="a Python that has mcp-server-fetch")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    peer = str(Path(options.peer).absolute())
    fetch = Contender(
        "mcp-server-fetch",
        [peer, "-m", "mcp_server_fetch"],
        "fetch",
        {"url": "http://127.0.0.1:9/"},
        fails=True,
    )
    few = max(3, options.rounds // 3)
    print(f"{'':<34} {'peer':<18} {'ours ms':>9} {'peer ms':>9} {'median':>7} {'best':>7}   goal")
    for bench in (
        Bench("start to tools/list", first_list.measure, fetch, first_list.GOAL, options.rounds),
        Bench(
            "start to first tools/call", first_call.measure, fetch, first_call.GOAL, options.rounds
        ),
        Bench("each tools/call, warm", each_call.measure, ECHO, each_call.GOAL, few),
    ):
        print(compare(bench), flush=True)
    for name, against, ours, theirs, goal in chain(
        search_calls.measure(ECHO),
        http_call.measure(),
        search_routing.measure(),
        scholar.measure(),
        economy.measure(),
        company_facts.measure(),
        gathering.measure(),
        browser.measure(),
        library_search.measure(peer),
        growth.measure(sys.executable),
        sessions.measure(),
        retractions.measure(),
        audit_speed.measure(),
    ):
        print(row(name, against, (ours, theirs), goal), flush=True)
    seconds = batch_fetch.measure()
    pair = (1000 * seconds[0], 1000 * seconds[1])
    print(row("100 papers in one batch", "the budget alone", pair, batch_fetch.GOAL), flush=True)
    print("\n" + "\n".join(extraction.report(peer)), flush=True)
    made = list(articles.report(peer))
    print("\n" + "\n".join(made), flush=True)
    print("\n" + "\n".join(pdf_documents.report(peer)), flush=True)
    print("\n" + "\n".join(known_items.measure()), flush=True)
    print("\n" + "\n".join(citation_strings.rows()), flush=True)
    print("\n" + "\n".join(trust.rows()), flush=True)
    print(f"\ntools/list: {first_list.size(OURS)} bytes; {fetch.name}: {first_list.size(fetch)}")
    print(
        f"\nMedian and best are ratios of ours to the peer's over {options.rounds} rounds in turns."
        f"\nOur call is {OURS.tool}. The call of {fetch.name} is a fetch of a loopback address,"
        "\nwhich it refuses before it connects, so that no network is in either number."
    )
    sys.exit(int(made[-1].endswith(articles.BROKEN)))


if __name__ == "__main__":
    main()
