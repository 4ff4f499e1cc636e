"""One digest for one paper seen through one resolver, so that audit rows can be compared."""

import hashlib

from sourcewright.domain.identifiers import ArxivId, Reference
from sourcewright.domain.pages import PageAddress


def canonical_digest(
    reference: Reference | PageAddress, resolver_profile: str, version: str | None = None
) -> str:
    """SHA-256 over kind, id, resolver and version, which a NUL keeps apart.

    A version inside an arXiv id counts as `vN` unless another one is given.
    """
    if version is None and isinstance(reference, ArxivId) and reference.version is not None:
        version = f"v{reference.version}"
    parts = (reference.kind, reference.value, resolver_profile, version or "")
    if any("\0" in part for part in parts):
        raise ValueError("a part of a canonical digest contains NUL, which separates the parts")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
