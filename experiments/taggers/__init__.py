"""Taggers and lemmatizers compared with each other."""
