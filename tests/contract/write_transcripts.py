"""Writes tests/transcripts anew: ``python tests/contract/write_transcripts.py``, run in the checkout.

Do so when a game's or an agent's behaviour is meant to change; look at the difference, and raise the version of the game.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(
        0, str(Path(__file__).parents[2])
    )  # not where pytest looks for doctests: guides run what is installed

    from transcripts import FOLDER, write

    changed = write()
    sys.stdout.write("\n".join(str(file.relative_to(FOLDER)) for file in changed) + "\n" if changed else "unchanged\n")
