"""``python -m tag``: the same as the ``tag`` command."""

from __future__ import annotations

from tag.cli import main

if __name__ == "__main__":
    main(prog_name="tag")
