"""The operating system: what works less well on it than on Linux, for the doctor."""

from collections.abc import Mapping
from types import MappingProxyType

from sourcewright.services.instance.doctor import Finding

_REDUCED: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "linux": ("Linux", ()),
        "darwin": (
            "macOS",
            (
                "the memory of a reading process is watched and not limited by the system",
                "the browser is not in an empty network namespace",
                "the memory of the browser is not watched",
                "a browser may outlive a server that is killed",
                "the last records before a power failure may be lost, because flushing a file does not reach the disk's own cache",
            ),
        ),
    }
)


def examine_system(platform: str) -> Finding:
    """Report the system, which is named as `sys.platform` names it, and what is reduced on it."""
    title, reduced = _REDUCED.get(platform, (platform, ("it was never tried on this system",)))
    if not reduced:
        return Finding(subject="system", grade="ok", detail=f"{title}, with everything it has")
    return Finding(subject="system", grade="note", detail=f"{title}: {'; '.join(reduced)}")
