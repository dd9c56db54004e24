"""A bundle for a paper's appendix: what it takes to play a tournament again, and to see that the same came out."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tag.tournaments.ledger.folder import MANIFEST, Folder
from tag.tournaments.ledger.storage import write_whole
from tag.tournaments.reports.paper.latex import latex_table, latex_text
from tag.tournaments.reports.paper.method import method_sentences
from tag.tournaments.reports.paper.tables import tournament_tables
from tag.tournaments.reports.sections.again import as_toml
from tag.tournaments.reports.sections.data import TournamentData, read_tournament
from tag.tournaments.reports.text import standings_csv

#: The time of all files of a bundle, so that equal tournaments give equal bundles.
_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)


def write_bundle(folder: Path, file: Path) -> None:
    """Write the bundle of the tournament in ``folder`` as a zip file.

    Raises:
        DataError: there is no tournament, its ledger is damaged, or the file cannot be written.
    """
    opened = Folder.open(folder)
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as bundle:
        for name, text in bundle_texts(read_tournament(opened), opened).items():
            entry = ZipInfo(name, _NO_TIME)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            bundle.writestr(entry, text)
    write_whole(file, content.getvalue(), "name another file")


def bundle_texts(data: TournamentData, folder: Folder) -> Mapping[str, str]:
    """Return the files of a bundle: its readme, the definition, the manifest, results and tables."""
    tables = "\n".join(map(latex_table, tournament_tables(data)))
    method = " ".join(method_sentences(data))
    return {
        "README.txt": _readme(data, method),
        "definition.toml": as_toml(data.definition) + "\n",
        MANIFEST: (folder.path / MANIFEST).read_text(encoding="utf-8"),
        "results.json": json.dumps(data.results.to_json(), indent=2) + "\n",
        "standings.csv": standings_csv(data.results.standings),
        "tables.tex": f"{tables}\n{latex_text(method)}\n",
    }


def _readme(data: TournamentData, method: str) -> str:
    versions = "".join(f"  {name} {version}\n" for name, version in data.manifest.versions.items())
    own = ""
    if data.manifest.sources:
        names = ", ".join(sorted(data.manifest.sources))
        own = (
            f"It uses files of its own, whose text or digest is in {MANIFEST}: {names}.\n"
            "They have to be there to play it.\n\n"
        )
    return (
        f"{method}\n\n{own}To play it again, and to see whether the same comes out:\n\n"
        f"  tag tournament definition.toml --out again\n  tag verify again\n\n"
        f"The last command prints the content hash, which is {data.results.content_hash} if budgets are\ndeterministic "
        f"and the versions the same:\n\n{versions}\n"
        f"{MANIFEST} is the manifest of the tournament, results.json and standings.csv are what came out, and\n"
        "tables.tex has the tables of the paper.\n"
    )
