"""Decisions that stop early (strubell2015)."""
