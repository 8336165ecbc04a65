"""Discovery of feature sets (nilsson2010)."""
