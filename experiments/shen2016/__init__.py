"""Labels by low-rank factors (shen2016)."""
