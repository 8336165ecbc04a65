"""Core of laconic.learn."""
