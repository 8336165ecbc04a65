"""Experiments: what papers report, made again, and what settled the choices of this package (docs/experiments.md)."""
