"""Citation styles: CSL style files, and the processor that formats CSL-JSON items with them."""
