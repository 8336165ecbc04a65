"""Teachers and what models learn from the text that they label."""
