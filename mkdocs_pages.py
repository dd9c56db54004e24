"""The pages of games, agents and heuristics, and the tutorial, made when mkdocs builds: a hook that mkdocs.yml names.

All that they say comes from `tag.catalogue.describe`, as what the command line prints does. The sources, tests and
transcripts that they link are published as text below ``source/``. Pages in ``docs/`` link what these pages are made
from, such as ``../agents/search/osla.py``, which can be followed in the repository too; `on_page_markdown` puts the page
in its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from os.path import normpath, relpath
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbconvert import MarkdownExporter

# mkdocs has this folder on the path while it loads the hook. That makes these the packages beside it, not installed
# ones, and their modules, which are loaded later, are found in them.
from tag.catalogue.describe import (
    Description,
    GameDescription,
    describe_agent,
    describe_game,
    describe_heuristic,
    text_table,
)
from tag.catalogue.heuristics import HEURISTICS
from tag.catalogue.options import options_in
from tag.catalogue.registry import agent_names, bot_names, game_names, heuristic_names
from tag.tournaments.commands.settings import HEADINGS, Settings, flag_of
from tag.tuning.commands.settings import BalanceSettings, StudySettings, TrainingSettings

_ROOT = Path(__file__).parent
_FACTS = ["players", "hidden information", "chance", "categories", "mechanics"]
#: How many players sit at the table of an example, where as many are allowed.
_TABLE = 4
#: A link of a page to a file.
_LINK: Final = re.compile(r"\]\((?P<target>[^()#\s:]+)(?P<anchor>#[^()\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of a folder into the navigation where mkdocs.yml names the folder."""
    pages = {"games/": _titles(game_names(), _game_title), "agents/": _titles(agent_names(), str)}
    config.nav = [_with_pages(entry, pages) for entry in config.nav or []]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, and the files that they link."""
    described_games = [describe_game(name) for name in game_names()]
    described_agents = [describe_agent(name) for name in agent_names()]
    pages = {
        "games/index.md": games_page(described_games),
        "agents/index.md": agents_page(described_agents),
        "reference/options.md": options_page(),
        "heuristics.md": heuristics_page([describe_heuristic(name) for name in heuristic_names()]),
        **{f"games/{game.name}.md": game_page(game) for game in described_games},
        **{f"agents/{agent.name}.md": agent_page(agent) for agent in described_agents},
    }
    tutorial, pictures = tutorial_page(_ROOT / "docs" / "tutorial.ipynb")
    contents: dict[str, str | bytes] = {**pages, "tutorial.md": tutorial, **pictures}
    for path, content in contents.items():
        files.append(File.generated(config, path, content=content))
    linked = [
        *(path for name in game_names() for path in game_files(name)),
        *(path for name in agent_names() for path in agent_files(name)),
        *shared_files(),
    ]
    for source in dict.fromkeys(linked):
        files.append(File.generated(config, _published(source), abs_src_path=str(source)))
    return files


def on_page_markdown(markdown: str, page: Page, **_more: Any) -> str:
    """Let links to what pages are made from lead to the pages."""
    folder = Path(page.file.src_uri).parent
    made = _pages_by_source()

    def followed(link: re.Match[str]) -> str:
        source = normpath(Path("docs", folder, link["target"]))
        return f"]({relpath(made[source], folder)}{link['anchor'] or ''})" if source in made else link[0]

    return _LINK.sub(followed, markdown)


@cache
def _pages_by_source() -> dict[str, str]:
    """Return the path of each page that is made here, by the path in the repository of what it is made from."""
    return {
        "docs/tutorial.ipynb": "tutorial.md",
        "games": "games/index.md",
        "agents": "agents/index.md",
        "tag/catalogue/heuristics.py": "heuristics.md",
        "tournaments/commands/settings.py": "reference/options.md",
        **{_source_of("games", name): f"games/{name}.md" for name in game_names()},
        **{_source_of("agents", name): f"agents/{name}.md" for name in agent_names()},
    }


def _source_of(package: str, name: str) -> str:
    """Return the module, or the folder of modules, of a game or an agent."""
    (source,) = _found(_ROOT / package, f"{name}.py", f"*/{name}.py", f"*/{name}")
    return _name(source)


# --- the page of options ------------------------------------------------------------------------------------------------


def options_page() -> str:
    """Return all options of the commands that play, with their keys in TOML files, from their declarations."""
    parts = [
        "# Options and TOML keys",
        "A command also takes a TOML file with the keys below: `tag tournament my.toml`. Options on the command line "
        "override the file. The functions `tournaments.play`, `tuning.tune`, `tuning.balance` and "
        "`tuning.train` take the same keys as arguments, but for workers and tracking.",
    ]
    for command, settings in (
        ("tag tournament", Settings),
        ("tag tune", StudySettings),
        ("tag balance", BalanceSettings),
        ("tag train", TrainingSettings),
    ):
        rows = [
            f"| `{one.name}` | `{flag_of(one.name, about)}` | `{about.example}` | {about.help.replace('|', '&#124;')} |"
            for one, about in sorted(options_in(settings), key=lambda pair: HEADINGS.index(pair[1].heading))
        ]
        parts += [f"## `{command}`", "\n".join(["| key | option | example | |", "|---|---|---|---|", *rows])]
    return "\n\n".join(parts)


# --- the navigation -----------------------------------------------------------------------------------------------------


def _titles(names: Iterable[str], title: Callable[[str], str]) -> dict[str, str]:
    return {"index.md": "All", **{f"{name}.md": title(name) for name in names}}


def _game_title(name: str) -> str:
    return describe_game(name).game_type.title


def _with_pages(entry: str | Mapping[str, Any], pages: Mapping[str, Mapping[str, str]]) -> str | Mapping[str, Any]:
    """Return an entry of the navigation, with the pages of a folder, the first as its own, where it names the folder."""
    if isinstance(entry, str):
        return entry
    ((section, path),) = entry.items()
    if isinstance(path, list):
        return {section: [_with_pages(below, pages) for below in path]}
    if path not in pages:
        return entry
    index, *rest = ({title: path + page} for page, title in pages[path].items())
    return {section: [*index.values(), *rest]}


# --- the pages ----------------------------------------------------------------------------------------------------------


def games_page(described: list[GameDescription]) -> str:
    """Return the page with the table of all games."""
    rows = [{"game": f"[{game.game_type.title}]({game.name}.md)", **game.facts()} for game in described]
    return _joined(
        "# Games",
        "Each by its printed rules; its page names the edition, and says where it differs from TAG's Java version. "
        "Without *hidden information* every player knows everything; without *chance* only the set-up can be random.",
        _table(rows, ["game", *_FACTS]),
        "In the terminal, `tag games` prints this table, `tag games --category cards` a part of it, and `tag games uno` "
        "what the page says. [Add a game](../add_a_game.md) tells how to make one.",
    )


def game_page(game: GameDescription) -> str:
    """Return the page of a game."""
    facts = [{"": f"**{name}**", " ": game.facts()[name]} for name in [*_FACTS, "version"]]
    return _joined(
        f"# {game.game_type.title}",
        game.summary,
        _table(facts, ["", " "]),
        *_picture(game),
        _how_to_play(game),
        *_sections(game),
        *_parameters(game),
        *_own_heuristic(game),
        *_learned_values(game),
        *_bots(game),
        *_links("Source and tests", "games", game_files(game.name)),
    )


def _bots(game: GameDescription) -> list[str]:
    """Return the table of a game's bots with the sources of their strategies."""
    described = [describe_agent(name) for name in bot_names(game.name)]
    rows = [
        {"bot": f"`{bot.name}`", "what it does": bot.summary, "source": bot.sections()["Source"].replace("\n", " ")}
        for bot in described
    ]
    return ["## Bots", _table(rows, ["bot", "what it does", "source"])] if rows else []


def _picture(game: GameDescription) -> list[str]:
    """Return the picture of the game's table, which ``make screenshots`` makes."""
    file = _ROOT / "docs" / "pictures" / f"{game.name}.png"
    return [f"![{game.game_type.title} at a table](../pictures/{file.name})"] if file.exists() else []


def agents_page(described: list[Description]) -> str:
    """Return the page with the table of all agents."""
    rows = [{"agent": f"[{agent.name}]({agent.name}.md)", "what it does": agent.summary} for agent in described]
    return _joined(
        "# Agents",
        "Every agent plays every game; the page of a game has the [bots](../bots.md) that play it only.",
        _table(rows, ["agent", "what it does"]),
        "An agent is named by a spec, `mcts:budget=500,k=1.4`, wherever one is asked for. In the terminal, `tag agents` "
        "prints this table and `tag agents mcts` what the page says. [Add an agent](../add_an_agent.md) tells how to make "
        "one.",
        *_links("Parts they share", "agents", shared_files()),
    )


def agent_page(agent: Description) -> str:
    """Return the page of an agent."""
    return _joined(
        f"# {agent.name}",
        agent.summary,
        _code(f"tag play love_letter --players 4 --agent {agent.name} --agent random --agent random --agent random"),
        *_sections(agent),
        *_parameters(agent),
        *_links("Source and tests", "agents", agent_files(agent.name)),
    )


def heuristics_page(described: list[Description]) -> str:
    """Return the page of the generic heuristics, with links to the games' own."""
    generic = [heuristic for heuristic in described if heuristic.name in HEURISTICS]
    own = [
        {"heuristic": f"[{heuristic.name}](games/{heuristic.name}.md#heuristic)", "what it does": heuristic.summary}
        for heuristic in described
        if heuristic.name not in HEURISTICS
    ]
    return _joined(
        "# Heuristics",
        "A heuristic values positions for agents that search. It is a parameter of theirs: `mcts:heuristic=score`, or, "
        "with parameters of its own, `mcts:heuristic=(score_win:bonus=5)`. The generic ones serve in every game.",
        *(part for heuristic in generic for part in _generic_heuristic(heuristic)),
        "## Of one game",
        "Each serves in the game of its name, and has weights.",
        _table(own, ["heuristic", "what it does"]),
    )


def tutorial_page(notebook: Path) -> tuple[str, dict[str, bytes]]:
    """Return the page of the notebook, and its pictures by path."""
    exporter: Any = MarkdownExporter
    text, resources = exporter().from_filename(str(notebook), resources={"output_files_dir": "tutorial"})
    return text, resources["outputs"]


# --- their parts --------------------------------------------------------------------------------------------------------


def _how_to_play(game: GameDescription) -> str:
    play = f"tag play {game.name} --players {_table_size(game)}"
    return _code(f"{play}\n{play} --agent mcts --seed 7\ntag games {game.name}")


def _sections(description: Description) -> list[str]:
    return [f"## {title}\n\n{text}" if title else text for title, text in description.sections().items()]


def _parameters(description: Description) -> list[str]:
    if not description.parameters:
        return []
    return [
        "## Parameters",
        description.parameters_text,
        _parameter_table(description),
        f"Set them in the spec: `{description.example()}`.",
    ]


def _own_heuristic(game: GameDescription) -> list[str]:
    own = game.heuristic
    if own is None:
        return []
    return [
        "## Heuristic",
        own.text,
        own.parameters_text,
        _parameter_table(own),
        f"Give it to an agent: `--agent 'mcts:heuristic=({own.example()})'`. See [heuristics](../heuristics.md).",
    ]


def _learned_values(game: GameDescription) -> list[str]:
    """Return the section on the learned values that come with a game."""
    if not game.learned:
        return []
    counts = ", ".join(map(str, game.learned))
    return [
        "## Learned values",
        f"Values learned by self-play come with the game, for {counts} players and the default parameters: "
        "`--agent 'mcts:heuristic=learned'`. [Learned values](../reference/learned_values.md) has what they are worth.",
    ]


def _generic_heuristic(heuristic: Description) -> list[str]:
    table = [_parameter_table(heuristic)] if heuristic.parameters else []
    return [f"## {heuristic.name}", heuristic.text, *table]


def _parameter_table(description: Description) -> str:
    """Return the table of parameters, conditions told with the meanings, which need the width."""
    rows = description.parameter_rows()
    for row in rows:
        if row["only with"]:
            row["meaning"] += f" (only with {row['only with']})"
    return _table(rows, ["parameter", "default", "range", "meaning"])


def _links(title: str, folder: str, paths: list[Path]) -> list[str]:
    """Return the section that links ``paths`` from a page in ``folder``."""
    links = [f"- [{_name(path)}]({relpath(_published(path), folder)})" for path in paths]
    return [f"## {title}", "\n".join(links)]


# --- the files they link ------------------------------------------------------------------------------------------------


def game_files(name: str) -> list[Path]:
    """Return the files of a game: its source, its tests, and the transcripts of games with it."""
    return [
        *_found(_ROOT / "games", f"*/{name}.py", f"*/{name}/*.py", f"*/{name}/*.json"),
        *_found(_ROOT / "tests", f"games/**/test_{name}.py", f"games/**/test_{name}_*.py", "contract/test_games.py"),
        *_found(_ROOT / "tests", f"transcripts/{name}-*.txt"),
    ]


def agent_files(name: str) -> list[Path]:
    """Return the files of an agent: its source and its tests."""
    return [
        *_found(_ROOT / "agents", f"{name}.py", f"*/{name}.py", f"*/{name}/*.py"),
        *_found(_ROOT / "tests", f"agents/**/test_{name}.py", f"agents/**/test_{name}_*.py", "contract/test_agents.py"),
    ]


def shared_files() -> list[Path]:
    """Return the source of what several agents, or one, are made of."""
    return _found(_ROOT / "agents", "_[a-z]*.py", "*/_[a-z]*.py")


def _found(folder: Path, *patterns: str) -> list[Path]:
    return [path for pattern in patterns for path in sorted(folder.glob(pattern))]


def _name(path: Path) -> str:
    return path.relative_to(_ROOT).as_posix()


def _published(path: Path) -> str:
    """Return where a file is published: with the suffix of text, which browsers show."""
    return f"source/{_name(path)}" + ("" if path.suffix == ".txt" else ".txt")


# --- Markdown -----------------------------------------------------------------------------------------------------------


def _joined(*parts: str) -> str:
    return "\n\n".join(parts)


def _code(commands: str) -> str:
    return f"```sh\n{commands}\n```"


def _table(rows: Iterable[Mapping[str, Any]], columns: list[str]) -> str:
    header, *cells = text_table(rows, columns)
    return "\n".join(_row(row) for row in (header, ["---"] * len(header), *cells))


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _table_size(game: GameDescription) -> int:
    return max(game.game_type.min_players, min(game.game_type.max_players, _TABLE))
