"""Speed and memory, and comparison with other packages (docs/experiments.md)."""
