"""Catalogues: lenses and host reputation, ours and the operator's."""
