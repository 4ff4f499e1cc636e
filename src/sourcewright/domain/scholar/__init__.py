"""Scholarly search: records of works from several indexes, merged and ranked."""
