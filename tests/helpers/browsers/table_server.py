"""A server of tables as a process: ``table_server.py FOLDER SECONDS ENGINE…``; it prints its address."""

from __future__ import annotations

import sys
from pathlib import Path

from tag.cli.postponed import postpone

postpone()  # as the command does, or each server would load pandas for half of its time

from tag.tournaments.web.server import serve  # noqa: E402
from tag.tournaments.web.tables.host import host_token  # noqa: E402
from tag.tournaments.web.tables.pages import table_application  # noqa: E402
from tag.tournaments.web.tables.pool import EnginePool  # noqa: E402
from tag.tournaments.web.tables.tables import Tables  # noqa: E402

if __name__ == "__main__":
    folder, seconds, *program = sys.argv[1:]
    limit = float(seconds)
    sys.stdout.reconfigure(line_buffering=True)
    token = host_token(Path(folder))
    tables = Tables(Path(folder), EnginePool(program, rules_seconds=limit, search_seconds=limit))
    serve(table_application(tables, token), token)
