"""Catalogues of search lenses and host reputation, built in and from the operator."""
