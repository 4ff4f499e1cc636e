"""Where the recorded answers, pages and labelled citations are, beside the checkout."""

from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared"
