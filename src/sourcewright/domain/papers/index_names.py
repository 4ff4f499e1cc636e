"""Names of scholarly indexes in the contract of the tools, where providers have others."""

from collections.abc import Mapping
from types import MappingProxyType

CONTRACT_NAMES: Mapping[str, str] = MappingProxyType(
    {"semantic_scholar": "semanticscholar", "ncbi": "pubmed"}
)


def contract_name(name: str) -> str:
    """Return the name of an index in arguments and results."""
    return CONTRACT_NAMES.get(name, name)
