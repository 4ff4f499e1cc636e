"""Package metadata: the README with absolute links, because an index has no files to link to."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(\]\(|<img src=\")(?![a-z]+:|#|\")([^)\"\s]+)")
_PICTURE = (".svg", ".png")


class ReadmeHook(MetadataHookInterface):
    """Makes the long description of the package from the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README; hatchling calls this."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute_links(text, metadata["urls"]["Source"]),
        }


def absolute_links(text: str, source: str) -> str:
    """The text with links to the files of the repository at `source`."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link[2].endswith(_PICTURE) else "blob"
        return f"{link[1]}{source}/{kind}/main/{link[2]}"

    return _LINK.sub(absolute, text)
