"""Writes tests/transcripts anew: ``python tests/contract/write_transcripts.py``, run in the checkout.

Do so when a game's or an agent's behaviour is meant to change; look at the difference, and raise the version of the game.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from transcripts import FOLDER, write

if __name__ == "__main__":
    changed = write()
    sys.stdout.write("\n".join(str(file.relative_to(FOLDER)) for file in changed) + "\n" if changed else "unchanged\n")
