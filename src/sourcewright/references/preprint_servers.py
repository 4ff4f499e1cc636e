"""Preprint servers: recognises them by the venue names that references use."""

import re

_NAME = re.compile(
    r"(?:the\s)?(?:arxiv|corr|bio-?rxiv|med-?rxiv|chem-?rxiv|psyarxiv|socarxiv|osf\spreprints?"
    r"|engrxiv|eartharxiv|techrxiv|africarxiv|edarxiv|lawarxiv|metaarxiv|paleorxiv|sportrxiv"
    r"|agrixiv|ssrn|social\sscience\sresearch\snetwork|research\ssquare|preprints(?:\.org)?"
    r"|authorea|zenodo\spreprints?|hal(?:-shs)?|repec|nber\sworking\spapers?|peerj\spreprints"
    r"|openreview|cryptology\seprint\sarchive|iacr\scryptol(?:ogy|\.)\seprint\sarch(?:ive|\.)|qeios)"
    r"(?:\.org|\s\((?:cornell\suniversity|arxiv)\))?(?:[\s,:./\[].{0,80})?",
    re.IGNORECASE | re.DOTALL,
)


def is_preprint_server(venue: str) -> bool:
    """Whether a venue is a preprint server, also with an id after it (`arXiv preprint arXiv:…`)."""
    return _NAME.fullmatch(venue.strip()[:200]) is not None
