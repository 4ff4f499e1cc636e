"""Which names are nobody's own: public suffixes, below which anyone may register."""

from functools import cache

from publicsuffixlist import PublicSuffixList


def is_public_suffix(host: str, *, private: bool) -> bool:
    """Whether a name is a suffix such as `co.uk`; `private` counts `github.io` and its like too."""
    return bool(_suffixes(private=private).is_public(host))


@cache
def _suffixes(*, private: bool) -> PublicSuffixList:
    """Reading the list takes a moment, which only those pay who have names to check."""
    return PublicSuffixList(only_icann=not private)
