"""laconic: raw text to dependency trees, computing only as many features as each decision needs."""

from __future__ import annotations

from laconic.errors import ConfigError, InputError, LaconicError, ModelError

__version__ = "0.1.0"
__all__ = ["ConfigError", "InputError", "LaconicError", "ModelError", "__version__"]
