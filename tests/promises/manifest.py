"""What a user may rely on, one sentence each. Tests carry the ids of the promises they keep."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Promise:
    """One sentence, where it comes from, and what is missing when no test keeps it yet."""

    sentence: str
    source: str
    gap: str | None = None


_UNMARKED = "no test carries its mark yet"
_NO_TENANTS = "there is no server for teams yet"

PROMISES: Mapping[str, Promise] = MappingProxyType(
    {
        "absence.needs-every-source": Promise(
            "We say that something does not exist only when every source that could know was "
            "asked and answered that it does not.",
            "Absence needs every source",
        ),
        "absence.failure-is-no-absence": Promise(
            "A source that times out, asks us to wait or answers something unreadable is a "
            "failure with a name, never an empty result and never absence.",
            "Absence needs every source",
        ),
        "absence.one-failure-leaves-it-open": Promise(
            "When one deciding source failed and the others know nothing, the answer is that "
            "existence could not be checked.",
            "Absence needs every source",
        ),
        "absence.unasked-decides-nothing": Promise(
            "A source that is not configured or is switched off decides nothing about existence.",
            "Absence needs every source",
        ),
        "absence.searches-cannot-deny": Promise(
            "A search endpoint that answers 404 gave an unreadable answer, never an empty list.",
            "Absence needs every source",
        ),
        "absence.damage-is-named": Promise(
            "A library that is damaged never looks smaller or empty: an answer names the records "
            "that could not be read.",
            "Absence needs every source",
        ),
        "evidence.every-source-is-named": Promise(
            "An answer names each source that was asked, what it said, and which were not asked.",
            "Evidence, never a verdict",
        ),
        "evidence.integrity-kinds-stay-distinct": Promise(
            "Retraction, partial retraction, expression of concern and correction are reported "
            "as what they are, with the notice that says so.",
            "Evidence, never a verdict",
        ),
        "evidence.words-prove-nothing": Promise(
            "The word retraction in a title never makes a work retracted, and a notice about "
            "another work never does either.",
            "Evidence, never a verdict",
        ),
        "evidence.invention-is-marked": Promise(
            "Everything that the sandbox world invented says so in results, health and logs.",
            "Evidence, never a verdict",
        ),
        "file.is-the-paper-asked-for": Promise(
            "A fetched PDF is checked to be the paper that was asked for before it is stored "
            "under that name.",
            "The right file",
        ),
        "file.refused-does-not-end-the-search": Promise(
            "A file that is refused does not end the search: the next location is tried.",
            "The right file",
        ),
        "file.unconfirmed-is-said": Promise(
            "A scan without text is kept only from the paper's own location, is called "
            "unconfirmed wherever it is told of, and the next fetch tries again.",
            "The right file",
        ),
        "file.nothing-kept-unread": Promise(
            "Where the reading process cannot be started, no file is kept.",
            "The right file",
        ),
        "kept.notices-are-remembered": Promise(
            "A retraction or another notice that was found once is in the paper's record, shown "
            "wherever the paper is shown, exported with it, and looked for again after a week.",
            "Nothing lost",
        ),
        "kept.none-is-not-unchecked": Promise(
            "That no notice about a paper was found is said with the day on which its sources "
            "were asked, and never of a paper that could not be checked.",
            "Nothing lost",
        ),
        "kept.log-survives-kills": Promise(
            "Killing the process at any instant leaves a provenance log whose chain verifies.",
            "Nothing lost",
        ),
        "kept.torn-line-is-never-dropped": Promise(
            "A torn last line is moved aside and recorded, never silently dropped.",
            "Nothing lost",
        ),
        "kept.tampering-shows": Promise(
            "A changed, removed or reordered log row is found and named by verification, and so "
            "is a rotated segment that was removed, exchanged, repeated or cut.",
            "Nothing lost",
        ),
        "kept.logs-outlive-a-wrong-clock": Promise(
            "A clock that jumps ahead and comes back makes retention remove no log.",
            "Nothing lost",
        ),
        "kept.a-repair-deletes-nothing": Promise(
            "Repairing a damaged log moves the damaged part aside whole and records its hash.",
            "Nothing lost",
        ),
        "kept.changed-files-show": Promise(
            "A stored paper with other bytes than were written is named by verification.",
            "Nothing lost",
        ),
        "kept.no-answer-without-record": Promise(
            "A call whose provenance or audit event cannot be written fails instead of going on "
            "unrecorded.",
            "Nothing lost",
        ),
        "kept.every-answer-has-its-event": Promise(
            "An answer that was given has its audit event, also when the process is killed right "
            "after it.",
            "Nothing lost",
        ),
        "kept.only-its-owner-reads-it": Promise(
            "Every file in the state and cache folders may be read by its owner alone, under "
            "any mask.",
            "Nothing lost",
        ),
        "kept.files-are-whole": Promise(
            "No half-written paper or metadata file is ever seen under its final name.",
            "Nothing lost",
        ),
        "kept.acknowledged-steps-stay": Promise(
            "A session step that was acknowledged survives the death of the process.",
            "Nothing lost",
            "there are no sessions yet",
        ),
        "guard.no-private-address": Promise(
            "No URL, redirect or DNS answer makes the server connect to a private address.",
            "Nobody is let in",
        ),
        "guard.checked-address-is-dialled": Promise(
            "The connection goes to exactly the address that was checked, also when a name "
            "changes its answer in between.",
            "Nobody is let in",
        ),
        "guard.every-hop-is-checked": Promise(
            "Each redirect is checked like a first request, against the source's own hosts too.",
            "Nobody is let in",
        ),
        "guard.bodies-are-bounded": Promise(
            "An endless, slow, cut or exploding answer costs bounded memory and time.",
            "Nobody is let in",
        ),
        "guard.browser-has-no-way-out": Promise(
            "A page that is shown in the browser reaches nobody but through our own client, by "
            "no socket, worker, window, download or datagram.",
            "Nobody is let in",
        ),
        "guard.sandbox-is-loopback-only": Promise(
            "The sandbox can only be on this machine's loopback, never a way to redirect traffic.",
            "Nobody is let in",
        ),
        "guard.files-stay-inside": Promise(
            "No argument makes the server read or write a file outside its folders.",
            "Nobody is let in",
        ),
        "guard.tenants-stay-apart": Promise(
            "No tenant sees another tenant's data.", "Nobody is let in", _NO_TENANTS
        ),
        "pace.across-processes": Promise(
            "A source's rate holds across every process on the machine, and no process starves.",
            "Polite by construction",
        ),
        "pace.paper-budget": Promise(
            "The paper sources together see at most 5 starts in any rolling second, 5 at once.",
            "Polite by construction",
        ),
        "pace.retry-after-is-obeyed": Promise(
            "When a source says how long to wait, in seconds or as a date, nobody asks it sooner.",
            "Polite by construction",
        ),
        "pace.a-failing-source-is-left-alone": Promise(
            "A source that keeps failing is not asked again until one probe has succeeded.",
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
