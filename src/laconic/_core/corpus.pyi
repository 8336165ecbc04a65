"""Core of laconic.corpus."""
