"""laconic as a part of other packages: of pipelines of spaCy, NLTK and scikit-learn.

A module here needs the package that it is called after, and is imported by those who have it.
"""

from __future__ import annotations
