"""Core of laconic.tag."""
