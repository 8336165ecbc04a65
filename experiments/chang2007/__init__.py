"""Step-back parsing (chang2007)."""
