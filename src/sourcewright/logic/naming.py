"""What a paper's files are called: names that are safe everywhere and never shared by two papers."""

import hashlib
import re

from sourcewright.domain.identifiers import ArxivId, Doi

LONGEST_KEY = 201
_CUT_AT = 192
_KEY = re.compile(rf"[A-Za-z0-9_-][A-Za-z0-9._-]{{0,{LONGEST_KEY - 1}}}")
_UNSAFE = re.compile(r"[^A-Za-z0-9.-]+")
_SCHEME = re.compile(r"(doi|arxiv):", re.IGNORECASE)
_LOOKS_HASHED = re.compile(r"_[0-9a-f]{8}\Z")


def store_key(reference: Doi | ArxivId) -> str:
    """The name of a paper's files, without their endings.

    It is doiget's own key wherever that key tells which paper is meant, and carries a hash
    where it does not. A short key that merely ends like a hashed one gets a hash as well,
    since it could be the key of another paper.
    """
    raw = f"{reference.kind}_{reference}"
    key = _doiget_key(raw)
    tells = key == raw.replace("/", "_", 1) and not _LOOKS_HASHED.search(key)
    return key if tells or len(key) > _CUT_AT else f"{key}_{_hash(str(reference))}"


def legacy_key(text: str) -> str:
    """The name that doiget gives to a paper, letter case kept; one name may mean several papers."""
    scheme = _SCHEME.match(text)
    bare = text[scheme.end() :] if scheme else text
    kind = scheme[1].lower() if scheme else "doi" if bare.startswith("10.") else "arxiv"
    return _doiget_key(f"{kind}_{bare}")


def is_key(name: str) -> bool:
    """Whether the name can be one that a store gave: one safe part of a path, not hidden."""
    return _KEY.fullmatch(name) is not None


def _doiget_key(raw: str) -> str:
    key = _UNSAFE.sub("_", raw).strip("_")
    return key if len(key) <= _CUT_AT else f"{key[:_CUT_AT]}_{_hash(raw)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
