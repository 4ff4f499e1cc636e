"""Corrects fields of a bibliography in place; everything else stays as it is, byte for byte."""
