"""The prefix of a DOI as a regular expression: the registrant's number, and its subdivisions."""

DOI_PREFIX = r"10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,9}"
"""For use inside other patterns, before the slash; what follows depends on where the DOI stands.

Registrants have four digits or more (DOI Handbook, 2.2.2; Crossref recommends up to nine, and
subdivides after a dot), read on 2026-11-20.
"""
