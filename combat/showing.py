"""A JSON object as players' requests bring it; what the rules answer is in `combat.views`."""

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]
"""A JSON object: text, numbers, flags, None, lists and objects of these."""
