"""The same model and the same output on engines for many machines: Ray Data and Spark.

Both are thin: they hand Arrow batches to ``Pipeline.map_table``, in workers that load the model once.
"""

from __future__ import annotations
