"""The built pages of games, agents and heuristics say what the code declares, all of it."""

import html
import re
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run_tag
from made_once import made_once

import tag
from tag.catalogue.describe import _SECTIONS, describe_agent, describe_game, describe_heuristic
from tag.catalogue.heuristics import HEURISTICS
from tag.catalogue.options import options_in
from tag.catalogue.registry import agent_names, game_names, heuristic_names, make_agent, make_game
from tag.tournaments.commands.settings import Settings, flag_of
from tag.tuning.commands.python import BalanceSettings, StudySettings, TrainingSettings

pytestmark = pytest.mark.flow

ROOT = Path(__file__).parents[2]
INLINE = r"</?(?:code|em|strong|a)\b[^>]*>"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the documents strictly, from a folder where nothing but the configuration tells what to import."""
    command = [sys.executable, "-P", "-m", "mkdocs", "build", "--strict", "--quiet"]
    command += ["--config-file", str(ROOT / "mkdocs.yml"), "--site-dir"]

    def build(folder):
        done = subprocess.run([*command, folder / "built"], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    return made_once(tmp_path_factory, "site", build) / "built"


def words(path):
    """Return what a reader sees of a page's content, on one line."""
    content = path.read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0].partition(">")[2]
    content = re.sub(r'<a class="headerlink".*?</a>', "", content)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", re.sub(INLINE, "", content))).split())


def plain(markdown):
    """Return a piece of a docstring as a reader should see it, on one line."""
    return " ".join(re.sub(r"^[*-] ", "", markdown, flags=re.MULTILINE).replace("`", "").split())


def assert_explained(description, page):
    assert plain(description.summary) in page
    for title, text in description.sections().items():
        assert f"{title} {plain(text)}".strip() in page
    assert_parameters(description, page)
    assert "`" not in page
    assert "**" not in page


def assert_parameters(description, page):
    for row in description.parameter_rows():
        default = str(row["default"]).lower() if isinstance(row["default"], bool) else row["default"]
        condition = f" (only with {row['only with']})" if row["only with"] else ""
        assert plain(f"{row['parameter']} {default} {row['range']} {row['meaning']}{condition}") in page


@pytest.mark.parametrize("name", game_names())
def test_a_games_page_tells_its_rules_facts_parameters_and_weights(site, name):
    game = describe_game(name)
    page = words(site / "games" / name / "index.html")
    assert_explained(game, page)
    for fact, value in game.facts().items():
        told = ", ".join(value) if isinstance(value, list) else value
        assert (str(told) if fact == "title" else f"{fact} {told}") in page
    if game.heuristic is not None:
        assert plain(game.heuristic.text) in page
        assert_parameters(game.heuristic, page)


@pytest.mark.parametrize("name", agent_names())
def test_an_agents_page_tells_what_it_does_and_its_parameters(site, name):
    assert_explained(describe_agent(name), words(site / "agents" / name / "index.html"))


def test_the_heuristics_page_tells_all(site):
    page = words(site / "heuristics" / "index.html")
    for name in heuristic_names():
        heuristic = describe_heuristic(name)
        assert f"{name} {plain(heuristic.summary)}" in page
        if name in HEURISTICS:
            assert_parameters(heuristic, page)


def test_the_tables_list_all_games_and_agents(site):
    games = words(site / "games" / "index.html")
    for name in game_names():
        facts = describe_game(name).facts()
        row = [", ".join(value) if isinstance(value, list) else str(value) for value in facts.values()]
        assert " ".join(row[:-1]) in games
    agents = words(site / "agents" / "index.html")
    for name in agent_names():
        assert f"{name} {plain(describe_agent(name).summary)}" in agents


@pytest.mark.parametrize("name", game_names())
def test_the_commands_on_a_games_page_work(site, name):
    page = words(site / "games" / name / "index.html")
    command = re.search(r"tag (play \w+ --players \d)", page)[1]
    assert run_tag(*command.split(), "--quiet").exit_code == 0
    make_game(re.search(r"Set them in the spec: (\S+)\.", page)[1])
    spec = re.search(r"--agent '(\S+)'", page)
    assert (spec is None) == (describe_game(name).heuristic is None)
    if spec is not None:
        make_agent(spec[1])


@pytest.mark.parametrize("page", [*[f"games/{name}" for name in game_names()], *[f"agents/{a}" for a in agent_names()]])
def test_a_page_links_source_and_tests_as_they_are(site, page):
    folder = site / page
    links = re.findall(r'href="([^"]*/source/[^"]+)"', (folder / "index.html").read_text(encoding="utf-8"))
    names = [link.partition("/source/")[2].removesuffix(".txt") for link in links]
    kind, name_of_page = page.split("/")
    own = re.compile(rf"{kind}/(\w+/)?{name_of_page}(/rules|/agent)?\.py")
    assert any(own.fullmatch(name) for name in names)
    assert any(name.startswith("tests/") for name in names)
    for link, name in zip(links, names, strict=True):
        original = ROOT / name if (ROOT / name).exists() else ROOT / f"{name}.txt"
        assert (folder / link).read_bytes() == original.read_bytes()


@pytest.mark.parametrize("name", game_names())
def test_a_games_docstring_names_the_edition_and_tells_all(name):
    game = describe_game(name)
    assert re.search(r"\b(19|20)\d\d\b|traditional", game.summary), "the first paragraph names the edition"
    told = set(game.sections())
    assert {"Rules", "Rulings", "Variants", "What a player knows"} <= told <= {title for _words, title in _SECTIONS}


def test_the_python_interface_tells_of_all_that_can_be_imported(site):
    page = (site / "api" / "index.html").read_text(encoding="utf-8")
    told = set(re.findall(r'id="tag\.(\w+)"', page))
    callables = {name for name in tag.__all__ if callable(getattr(tag, name))}
    assert callables - {"AnyAction"} - told == set()  # a name for actions of any game in annotations


def test_pages_load_nothing_from_other_sites(site):
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|iframe)[^>]*src="([^"]+)"', page)
        loaded += re.findall(r'<link[^>]*rel="(?:stylesheet|preconnect|icon)"[^>]*href="([^"]+)"', page)
        assert not [address for address in loaded if "//" in address], path


def test_the_agents_page_links_the_parts_they_share(site):
    page = (site / "agents" / "index.html").read_text("utf-8")
    linked = re.findall(r'href="../source/(agents/(?:\w+/)?_\w+\.py)\.txt"', page)
    assert linked
    assert sorted(linked) == sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "agents").rglob("_[a-z]*.py"))


@pytest.mark.parametrize("settings", [Settings, StudySettings, BalanceSettings, TrainingSettings])
def test_the_page_of_options_has_every_key(site, settings):
    page = words(site / "reference" / "options" / "index.html")
    for field, option in options_in(settings):
        assert f"{field.name} {flag_of(field.name, option)} {option.example} {plain(option.help)}" in page, field.name
