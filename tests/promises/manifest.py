"""What a user may rely on, one sentence each. Tests carry the ids of the promises they keep."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Promise:
    """One sentence, and where it comes from."""

    sentence: str
    source: str


PROMISES: Mapping[str, Promise] = MappingProxyType(
    {
        "absence.needs-every-source": Promise(
            "A work is reported as non-existent only if every source that could know it was "
            "queried and answered that it does not exist.",
            "Absence needs every source",
        ),
        "absence.failure-is-no-absence": Promise(
            "A source that times out, asks for a pause or returns an unreadable response is "
            "reported as a failure, never as an empty result or as absence.",
            "Absence needs every source",
        ),
        "absence.one-failure-leaves-it-open": Promise(
            "If one deciding source failed and the others have no record, the result is that "
            "existence could not be checked.",
            "Absence needs every source",
        ),
        "absence.unasked-decides-nothing": Promise(
            "A source that is not configured or is disabled decides nothing about existence.",
            "Absence needs every source",
        ),
        "absence.only-those-who-can-know": Promise(
            "A search of several sources reports that nothing was found only if those answered "
            "that can know, and says so if only others found what it returns.",
            "Absence needs every source",
        ),
        "absence.searches-cannot-deny": Promise(
            "A 404 from a search endpoint is an unreadable response, never an empty list.",
            "Absence needs every source",
        ),
        "absence.damage-is-named": Promise(
            "A damaged library never looks smaller or empty: results name the records that "
            "could not be read.",
            "Absence needs every source",
        ),
        "evidence.every-source-is-named": Promise(
            "A result names each source that was queried, its outcome, and the sources that "
            "were not queried.",
            "Evidence, never a verdict",
        ),
        "evidence.the-work-asked-for": Promise(
            "A record of another work than the one that was asked for is an unreadable "
            "response, unless the record itself says that the two DOIs name one work.",
            "Evidence, never a verdict",
        ),
        "evidence.integrity-kinds-stay-distinct": Promise(
            "Retraction, partial retraction, expression of concern and correction are "
            "reported as distinct kinds, each with its notice.",
            "Evidence, never a verdict",
        ),
        "evidence.words-prove-nothing": Promise(
            "The word retraction in a title never makes a work retracted, and neither does a "
            "notice about another work.",
            "Evidence, never a verdict",
        ),
        "sandbox.stays-apart": Promise(
            "What a sandbox invents is kept in folders of its own, unless the same environment "
            "names others, and never reaches the library, the cache or the logs of real papers.",
            "Nothing invented can reach a user's real cache, store or log",
        ),
        "evidence.invention-is-marked": Promise(
            "Everything that comes from the sandbox is marked as such in results, health and "
            "logs.",
            "Evidence, never a verdict",
        ),
        "file.is-the-paper-asked-for": Promise(
            "A fetched PDF is checked to be the requested paper before it is stored under "
            "that name.",
            "The right file",
        ),
        "file.refused-does-not-end-the-search": Promise(
            "A refused file does not end the search: the next location is tried.",
            "The right file",
        ),
        "file.unconfirmed-is-said": Promise(
            "A scan without text is kept only from the paper's own location, is always marked "
            "as unconfirmed, and the next fetch tries again.",
            "The right file",
        ),
        "file.nothing-kept-unread": Promise(
            "If the process that reads files cannot be started, no file is kept.",
            "The right file",
        ),
        "kept.notices-are-remembered": Promise(
            "A retraction or another notice, once found, is stored in the paper's record, "
            "shown wherever the paper is shown, exported with it, and checked again after a "
            "week.",
            "Nothing lost",
        ),
        "kept.none-is-not-unchecked": Promise(
            "The absence of notices is reported with the date on which the sources were "
            "queried, and never for a paper that could not be checked.",
            "Nothing lost",
        ),
        "kept.log-survives-kills": Promise(
            "If the process is killed at any instant, the hash chain of the provenance log "
            "still verifies.",
            "Nothing lost",
        ),
        "kept.torn-line-is-never-dropped": Promise(
            "An incomplete last line is quarantined and recorded, never silently dropped.",
            "Nothing lost",
        ),
        "kept.tampering-shows": Promise(
            "Verification detects log rows that were changed, removed or reordered, and "
            "rotated segments that were removed, exchanged, duplicated or truncated.",
            "Nothing lost",
        ),
        "kept.logs-outlive-a-wrong-clock": Promise(
            "A clock that temporarily jumps ahead does not make retention delete a log.",
            "Nothing lost",
        ),
        "kept.a-repair-deletes-nothing": Promise(
            "Repairing a damaged log moves the whole damaged part to a separate file and "
            "records its hash.",
            "Nothing lost",
        ),
        "kept.changed-files-show": Promise(
            "Verification detects a stored paper whose bytes differ from those that were written.",
            "Nothing lost",
        ),
        "kept.no-answer-without-record": Promise(
            "A call whose provenance or audit event cannot be written fails instead of "
            "continuing unrecorded.",
            "Nothing lost",
        ),
        "kept.every-answer-has-its-event": Promise(
            "Every returned response has its audit event, even if the process is killed right "
            "after it.",
            "Nothing lost",
        ),
        "kept.only-its-owner-reads-it": Promise(
            "Every file in the state and cache folders is readable only by its owner, "
            "whatever the umask.",
            "Nothing lost",
        ),
        "kept.files-are-whole": Promise(
            "No partially written paper or metadata file is ever visible under its final name.",
            "Nothing lost",
        ),
        "kept.acknowledged-steps-stay": Promise(
            "An acknowledged session step survives the end of the process.",
            "Nothing lost",
        ),
        "guard.no-private-address": Promise(
            "No URL, redirect or DNS response makes the server connect to a private address.",
            "Nobody is let in",
        ),
        "guard.checked-address-is-dialled": Promise(
            "The connection goes to exactly the address that was checked, even if the DNS "
            "response changes in between.",
            "Nobody is let in",
        ),
        "guard.every-hop-is-checked": Promise(
            "Each redirect is checked like the first request, including against the allowed "
            "hosts of the source.",
            "Nobody is let in",
        ),
        "guard.bodies-are-bounded": Promise(
            "An endless, slow, truncated or highly compressed response uses bounded memory "
            "and time.",
            "Nobody is let in",
        ),
        "guard.browser-has-no-way-out": Promise(
            "A page rendered in the browser reaches the network only through our own client, "
            "and not by a socket, worker, window, download or datagram.",
            "Nobody is let in",
        ),
        "guard.sandbox-is-loopback-only": Promise(
            "The sandbox can only be on a loopback address, so it cannot be used to redirect "
            "traffic.",
            "Nobody is let in",
        ),
        "guard.files-stay-inside": Promise(
            "No argument makes the server read or write a file outside its folders.",
            "Nobody is let in",
        ),
        "guard.tenants-stay-apart": Promise(
            "No tenant sees another tenant's data.", "Nobody is let in"
        ),
        "pace.across-processes": Promise(
            "The rate limit of a source applies across all processes on the machine, and no "
            "process starves.",
            "Polite by construction",
        ),
        "pace.paper-budget": Promise(
            "All paper sources together receive at most 5 request starts in any rolling "
            "second, and 5 concurrent requests.",
            "Polite by construction",
        ),
        "pace.retry-after-is-obeyed": Promise(
            "If a source says how long to wait, in seconds or as a date, no process queries "
            "it sooner.",
            "Polite by construction",
        ),
        "pace.a-failing-source-is-left-alone": Promise(
            "A source that keeps failing is not queried again until one probe has succeeded.",
            "Polite by construction",
        ),
        "pace.same-question-is-asked-once": Promise(
            "Identical requests in flight cause one upstream request, and one caller's "
            "cancellation does not fail the others.",
            "Polite by construction",
        ),
        "wire.stdout-is-frames-only": Promise(
            "Standard output carries MCP frames and nothing else, whatever a library prints.",
            "Quiet on the wire",
        ),
        "wire.secrets-never-show": Promise(
            "Keys and passwords never appear in output, logs or errors.",
            "Quiet on the wire",
        ),
        "wire.cancelling-stops-the-work": Promise(
            "A cancelled call stops its upstream request.",
            "Quiet on the wire",
        ),
        "house.additions-edit-nothing": Promise(
            "Adding a provider or a tool edits no existing hand-written file.",
            "The house",
        ),
        "house.start-stays-light": Promise(
            "Nothing heavy is imported before the server has answered its first messages.",
            "Speed and size",
        ),
    }
)
