"""Parsers and labelers compared with each other."""
