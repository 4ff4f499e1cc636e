"""Contents of the conformance suite's fixtures, and the answer that carries them."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from sourcewright.tools._base import Answer, Ask

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
    "53de0000000c49444154789c63f8cfc000000301010018dd8db00000000049454e44ae426082"
)
"""One red pixel."""
WAV = b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\2\0\0\0\0\0"
"""One silent sample."""


def in_base64(data: bytes) -> str:
    return b64encode(data).decode()


IMAGE = {"type": "image", "data": in_base64(PNG), "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": in_base64(WAV), "mimeType": "audio/wav"}


def text_content(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def embedded(uri: str, text: str, kind: str = "text/plain") -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}}


class NoArguments(Ask):
    """No arguments."""


class Content(Answer):
    """A text, and other content beside it."""

    text: str
    others: list[dict[str, Any]] = Field(default_factory=list, exclude=True)

    def as_prose(self) -> str:
        return self.text

    def links(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.others)
