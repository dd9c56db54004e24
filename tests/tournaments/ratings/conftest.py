"""Lets the tests of ratings share their made-up games."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
