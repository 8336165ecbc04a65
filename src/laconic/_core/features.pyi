"""Core of laconic.features."""
