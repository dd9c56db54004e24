"""Tables at which people and agents sit: moves, agents that move by themselves, rights, views, and news for all."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException

from tag.errors import ParameterError, TagError
from tag.table.game import EVERYTHING
from tag.table.public import PUBLIC
from tag.table.tree import MOST_POSITIONS
from tag.tournaments.web.server import PageEvent
from tag.tournaments.web.tables.links import MOST_WATCHERS, Link, TableClient, named_person, path_to
from tag.tournaments.web.tables.pool import EnginePool, StoppedError
from tag.tournaments.web.tables.stored import StoredTable, note_of, person_name, start_of

#: The folder of ledgers in that of the tables (`tag.tournaments.ledger.people`).
LEDGERS: Final = "people"
#: The longest pause between the moves of agents, in seconds.
SLOWEST: Final = 60.0

#: So many views are kept per table, for those who watch; any other is made again.
_KEPT: Final = 32
#: A watcher who is so many events behind gets the present position in their place.
_BEHIND: Final = 50
#: An agent that is stopped has so many seconds to end; one whose move waits for its time goes on waiting.
_ENDING: Final = 2.0


class _Watcher:
    """A visitor who is told of everything that happens; news are a position, or an event for all."""

    def __init__(self, client: TableClient) -> None:
        self.client = client
        self.news: asyncio.Queue[int | PageEvent] = asyncio.Queue()
        self.log: Sequence[object] = ()

    def send_away(self, reason: str) -> None:
        """Tell nothing but that the link leads nowhere any more."""
        while not self.news.empty():
            self.news.get_nowait()
        self.news.put_nowait(PageEvent(_GONE, {"error": reason}))


class LiveTable:
    """A table in the server. All changes go through it; each is in the table's file before anyone is told.

    Attributes:
        table: the table as it is stored.
    """

    def __init__(self, table: StoredTable, folder: Path, pool: EnginePool) -> None:
        """Take a table, the folder of its file, and the processes that compute."""
        self.table = table
        self._folder = folder
        self._since = time.monotonic()
        self._pool = pool
        self._watchers: set[_Watcher] = set()
        self._shown: OrderedDict[tuple[int, int], Mapping[str, Any]] = OrderedDict()
        self._texts: dict[int, Sequence[str]] = {}
        self._showing = asyncio.Lock()
        self._changing = asyncio.Lock()
        self._recording = asyncio.Lock()
        self._is_gone = False
        self._driver: asyncio.Task[None] | None = None

    def controls(self, client: TableClient) -> bool:
        """Say whether a visitor may undo, go to other positions and replace agents."""
        return client.is_host or (self.table.is_free and client.seat >= 0)

    def can(self, client: TableClient, at: int) -> dict[str, bool]:
        """Return the rights of a visitor in a position."""
        table, controls, decider = self.table, self.controls(client), self.table.deciders[at]
        is_here = at == table.present or table.is_free
        is_person = client.seat in table.humans
        is_helped = client.is_host or client.seat >= 0 or not table.counts  # who watches cannot have a game not count
        found = {
            "play": is_here and decider >= 0 and decider == client.seat and table.is_asked(at),
            "undo": controls and table.present > 0,
            "redo": controls and table.after() != table.present,
            "go": controls,
            "seat": controls,
            "pace": controls or not table.humans,
            "ask": is_helped and decider >= 0 and client.viewer in (EVERYTHING, decider),
            "advice": is_helped and client.viewer != PUBLIC,
            "rematch": table.is_over and (client.is_host or client.link.seat >= 0),
            "name": is_person and not table.is_over and not person_name(table.saved.seats[client.seat]),
        }
        is_told = not table.is_hidden or client.viewer == EVERYTHING or (table.is_over and client.viewer != PUBLIC)
        return {**(dict.fromkeys(found, False) if table.is_closed else found), "save": is_told}

    def demand(self, client: TableClient, what: str, at: int | None = None) -> None:
        """Refuse a request that a visitor has no right to."""
        if not self.can(client, self.table.present if at is None else at)[what]:
            is_closed = self.table.is_closed and what != "save"
            raise HTTPException(403, "the host has closed this table" if is_closed else _REFUSALS[what])

    async def play(self, client: TableClient, at: int, number: int) -> None:
        """Play a person's action; at a free table in any position, from which the game goes on then."""
        async with self._changing:
            if at != self.table.present and not self.table.is_free:
                raise HTTPException(409, "the game has gone on since; this position is not the present one any more")
            self.demand(client, "play", at)
            if at != self.table.present:
                self._spoil("an action was taken back")
            # The player sees the next picture first; those of others are drawn when they are told.
            await self._act(at, number, time.monotonic() - self._since, [client.viewer])
            self.table.is_paused = False
        self.wake()

    async def undo(self, client: TableClient) -> None:
        """Take back all actions since a person decided last, that one as well."""
        await self._step(client, "undo", self.table.before)

    async def redo(self, client: TableClient) -> None:
        """Play the actions again that were taken back last, up to the next decision of a person."""
        await self._step(client, "redo", self.table.after)

    async def go(self, client: TableClient, at: int) -> None:
        """Go on from any position that was visited."""
        await self._step(client, "go", lambda: at)

    async def _step(self, client: TableClient, what: str, target: Any) -> None:
        async with self._changing:
            self.demand(client, what)
            position = target()
            self._spoil("an action was taken back")
            # An agent would at once play again what was taken back.
            self.table.is_paused = not self.table.is_asked(position)
            self._move_to(position)
        self.wake()

    async def seat(self, client: TableClient, seat: int, spec: str) -> None:
        """Give a seat to another agent, or to a person."""
        self.demand(client, "seat")
        saved = self.table.saved
        seats = (*saved.seats[:seat], spec, *saved.seats[seat + 1 :])
        await self._pool.ask(request="check", start=start_of(saved), seats=seats)
        async with self._changing:
            self.table.saved.seats = (*saved.seats[:seat], spec, *saved.seats[seat + 1 :])
            self._spoil("the agent of a seat was replaced")
            self._move_to(self.table.present)
        self.wake()

    async def pace(self, client: TableClient, seconds: float, is_paused: bool) -> None:
        """Set the least time between moves of agents, and whether they wait."""
        self.demand(client, "pace")
        async with self._changing:
            self.table.seconds, self.table.is_paused = seconds, is_paused
            self._move_to(self.table.present)
        self.wake()

    def lead_to(self, rematch: Mapping[str, str]) -> None:
        """Tell all who are here where they meet again, by the key of the link by which they came; nowhere if empty."""
        self.table.rematch = dict(rematch)
        self._store()

    def _store(self) -> None:
        """Write the table's file, and tell all who are here."""
        self._save()
        self._tell(self.table.present)

    def _save(self) -> None:
        if self._is_gone:
            raise HTTPException(404, "this table has been deleted")
        self.table.save(self._folder)

    async def name(self, client: TableClient, name: str) -> None:
        """Name the person in the visitor's seat, who has no name yet."""
        spec = named_person(name)
        async with self._changing:
            self.demand(client, "name")
            seat, seats = client.seat, self.table.saved.seats
            self.table.saved.seats = (*seats[:seat], spec, *seats[seat + 1 :])
            self._store()

    async def close(self, is_closed: bool) -> None:
        """Have the table only be looked at, or play go on."""
        self.table.is_closed = is_closed
        self._store()
        if is_closed:
            self._pool.stop(self.table.name)
            if self._driver is not None:  # else what it is told of the end would come once the table is open again
                await asyncio.wait([self._driver], timeout=_ENDING)
        self.wake()

    def add_watcher(self, label: str) -> Link:
        """Make a link for watching.

        Raises:
            ParameterError: there are as many as there may be.
        """
        if len(self.table.watchers) >= MOST_WATCHERS:
            raise ParameterError(f"a table has {MOST_WATCHERS} links for watching at most; revoke one")
        link = Link.of_watcher(label, self.table.is_open)
        self.table.links = [*self.table.links, link]
        self._save()
        return link

    def revoke(self, key: str) -> None:
        """Take a link for watching back; those who came by it are sent away."""
        links = [link for link in self.table.links if link.key != key or link.seat >= 0]
        if len(links) == len(self.table.links):
            raise HTTPException(404, "this table has no such link for watching")
        self.table.links = links
        self._save()
        self._send_away("the host has taken this link back", key)

    async def delete(self) -> None:
        """Delete the table's file, and send all who are here away.

        Raises:
            HTTPException: its game is to be recorded, and is not yet.
        """
        await self.record()
        async with self._changing:
            if self.table.counts and self.table.is_over:
                raise HTTPException(409, "the game of this table could not be recorded yet; it would be lost")
            (self._folder / f"{self.table.name}.json").unlink(missing_ok=True)
            self._is_gone = True
        self._pool.stop(self.table.name)
        self._send_away("the host has deleted this table")

    def _send_away(self, reason: str, key: str = "") -> None:
        for watcher in list(self._watchers):
            if key in ("", watcher.client.link.key):
                self._watchers.discard(watcher)
                watcher.send_away(reason)

    async def give_feedback(self, client: TableClient, rating: int, note: str) -> None:
        """Store a person's rating and note of the game that is over, in place of former ones."""
        seat = client.link.seat
        if seat not in self.table.humans or not self.table.is_over:
            raise HTTPException(403, "only people who have played say something of a game, and only when it is over")
        self.table.feedback = {**self.table.feedback, str(seat): {"rating": rating, "note": note}}
        self.table.untold = sorted({*self.table.untold, seat})
        self._store()
        await self._pass_on()

    async def _pass_on(self) -> None:
        """Put feedback into the ledger that has the game; where that fails, it is tried again at the next start."""
        table = self.table
        for seat in list(table.untold) if table.place else []:
            said = table.feedback[str(seat)]
            try:
                await self._pool.search(table.name).ask(
                    request="feedback",
                    folder=self._ledgers,
                    place=table.place,
                    seat=seat,
                    agent=table.saved.seats[seat],
                    **said,
                )
            except TagError as error:
                self._tell(PageEvent("fault", {"error": f"feedback could not be recorded: {error}"}))
                return
            if table.feedback[str(seat)] == said:
                table.untold = [one for one in table.untold if one != seat]
                self._save()

    async def stop(self, client: TableClient) -> None:
        """Cancel the searches of this table; an agent that was to move waits then."""
        if not self.controls(client) and client.seat < 0:
            raise HTTPException(403, "only players and the host may stop a search")
        self._pool.stop(self.table.name)

    def _spoil(self, reason: str) -> None:
        """Have the game not count any more; one that has ended stays as it is."""
        table = self.table
        if table.counts and not table.is_over:
            table.counts, table.note = False, note_of(reason)

    async def _act(self, at: int, number: int, seconds: float, viewers: Sequence[int]) -> None:
        """Play an action that took so long to choose, and draw the position for viewers; all or nothing is done."""
        table = self.table
        if len(table.saved.tree) >= MOST_POSITIONS:
            raise ParameterError(
                f"a table has {MOST_POSITIONS:,} positions at most; save the game, and go on elsewhere"
            )
        found = await self._pool.ask(
            request="play", start=start_of(table.saved), line=table.saved.tree.line(at), number=number, viewers=viewers
        )
        table.taken[table.deciders[at]] += seconds
        position = table.play(at, number, found["player"])
        self._remember(position, found)
        self._move_to(position)
        await self.record()

    async def record(self) -> None:
        """Record the game in its ledger, if it is over and counts; where that fails, it is tried again at the next start."""
        table, saved = self.table, self.table.saved
        async with self._recording:
            if table.counts and table.is_over:
                asked = {"start": start_of(saved), "line": saved.line, "seats": saved.seats, "seconds": table.taken}
                try:
                    place = await self._pool.search(table.name).ask(request="record", **asked, folder=self._ledgers)
                except TagError as error:
                    self._tell(PageEvent("fault", {"error": f"the game could not be recorded: {error}"}))
                    return
                table.counts, table.place, table.note = False, place, f"This game is recorded: {place}."
                self._store()
            await self._pass_on()

    @property
    def _ledgers(self) -> str:
        return str((self._folder / LEDGERS).absolute())

    def _move_to(self, position: int) -> None:
        """Make a position the present one, store that, and tell all who watch."""
        former = self.table.saved.position
        self.table.saved.position = position
        if position != former:
            self._since = time.monotonic()
        try:
            self._save()
        except TagError:
            self.table.saved.position = former
            raise
        self._tell(position)
        if self.table.deciders[position] < 0:
            self._tell(PageEvent("over", {"position": position}))

    def wake(self) -> None:
        """Have agents move, if it is their turn; until a person decides, the game is over, or they are to wait."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    def _is_agents_turn(self) -> bool:
        table = self.table
        is_seen = bool(self._watchers or table.humans)
        is_still = table.is_paused or table.is_closed or table.is_over or self._is_gone
        return is_seen and not is_still and not table.is_asked(table.present)

    async def _drive(self) -> None:
        while self._is_agents_turn():
            table, at = self.table, self.table.present
            seat = table.deciders[at]
            spec = table.saved.seats[seat]
            self._tell(PageEvent("thinking", {"seat": seat, "agent": spec, "seconds": 0}))
            begin = time.monotonic()
            try:
                number = await self._choice(at, seat, spec)
                seconds = time.monotonic() - begin
                await asyncio.sleep(max(table.seconds - (time.monotonic() - begin), 0.0))
                async with self._changing:
                    if table.present == at and table.saved.seats[seat] == spec and self._is_agents_turn():
                        await self._act(at, number, seconds, sorted({one.client.viewer for one in self._watchers}))
            except TagError as error:
                if table.is_closed or self._is_gone:  # its search was stopped by that
                    return
                table.is_paused = True
                self._tell(PageEvent("fault", {"error": str(error)}))
                self._tell(table.present)

    async def _choice(self, at: int, seat: int, spec: str) -> int:
        saved = self.table.saved
        found = await self._pool.search(self.table.name).ask(
            request="choose",
            start=start_of(saved),
            line=saved.tree.line(at),
            table=self.table.name,
            seat=seat,
            spec=spec,
        )
        if found["choice"] is None:
            raise TagError(f"{self.table.shown_names[seat]} cannot decide: {found['fault']}")
        return int(found["choice"])

    async def ask(self, client: TableClient, at: int, agents: Sequence[str]) -> list[dict[str, Any]]:
        """Return the figures of agents for each action in a position whose actions the visitor may know."""
        self.demand(client, "ask", at)
        self._take_advice()
        seat_spec = self.table.saved.seats[self.table.deciders[at]]
        rows = []
        for spec in agents:
            asked = {"request": "ask", "viewer": client.viewer, "seat_spec": seat_spec, "spec": spec}
            try:
                rows.append(await self._search(at, **asked))
            except StoppedError:
                raise
            except TagError as error:
                rows.append({"agent": spec, "choice": None, "actions": [], "figures": {}, "fault": str(error)})
        return rows

    async def beliefs(self, client: TableClient, at: int, deals: int) -> Any:
        """Return how often each item is in each hidden place, over so many deals that fit what the viewer knows."""
        self.demand(client, "advice")
        self._take_advice()
        return await self._search(at, request="beliefs", viewer=client.viewer, deals=deals)

    async def chances(self, client: TableClient, deals: int, agent: str) -> Any:
        """Return each player's share of wins along the present line, where an agent in all seats plays on."""
        self.demand(client, "advice")
        self._take_advice()
        asked = {"request": "chances", "viewer": client.viewer, "deals": deals, "agent": agent}
        return await self._search(self.table.line()[-1], **asked)

    def _take_advice(self) -> None:
        """Have the game not count, as agents advise a player."""
        if self.table.counts:
            self._spoil("agents were asked for advice")
            self._move_to(self.table.present)

    async def _search(self, at: int, **request: Any) -> Any:
        saved = self.table.saved
        if request["request"] == "ask":
            request["table"] = self.table.name
        return await self._pool.search(self.table.name).ask(start=start_of(saved), line=saved.tree.line(at), **request)

    async def position(self, client: TableClient, at: int, log: Sequence[object] = ()) -> dict[str, Any]:
        """Return a position as a visitor sees it (the event ``position``), without the log's first entries, if known."""
        table = self.table
        found = await self._view(at, client.viewer)
        entries: Sequence[object] = found["log"]
        same = _common(log, entries)
        tree = table.saved.tree
        return {
            "position": at,
            "parent": tree.parents[at],
            "present": table.present,
            "can": self.can(client, at),
            "seats": self._seats(),
            "pace": {"seconds": table.seconds, "paused": table.is_paused},
            "note": table.note,
            "rematch": self.next_path(client),
            "feedback": self._asked_for_feedback(client),
            "view": {name: value for name, value in found.items() if name not in ("log", "board")},
            "board": found["board"],
            "log_from": same,
            "log": entries[same:],
            "children": [
                {"position": child, "text": self._texts[child][client.viewer] if child in self._texts else None}
                for child in tree.children(at)
            ],
            "line": (line := table.line()),
            "ends": len(line) - 1,
        }

    def next_path(self, client: TableClient) -> str:
        """Return the path of the visitor's page at the table at which the players meet again, empty where there is none."""
        links = client.together or (client.link,)
        if any(link.key not in self.table.rematch for link in links):
            return ""
        keys = [self.table.rematch[link.key].removeprefix("/t/") for link in links]
        return path_to([Link(key, 0, 0) for key in keys], PUBLIC if len(keys) > 1 else None)

    def _asked_for_feedback(self, client: TableClient) -> list[dict[str, Any]]:
        """Return the seats of the visitor's page whose people are asked for feedback, with what they have said."""
        seats = [link.seat for link in client.together or (client.link,) if link.seat in self.table.humans]
        return [{"seat": seat, **self.table.feedback.get(str(seat), {})} for seat in seats if self.table.is_over]

    def _seats(self) -> list[dict[str, Any]]:
        table = self.table
        thinks = -1 if table.is_paused else table.deciders[table.present]
        humans = table.humans
        return [
            {
                "agent": spec,
                "name": name,
                "is_human": seat in humans,
                "is_thinking": seat == thinks and seat not in humans,
            }
            for seat, (spec, name) in enumerate(zip(table.saved.seats, table.shown_names, strict=True))
        ]

    async def _view(self, at: int, viewer: int) -> Mapping[str, Any]:
        async with self._showing:  # of many who come at once, one waits for the rules
            if (at, viewer) not in self._shown:
                saved = self.table.saved
                found = await self._pool.ask(
                    request="views", start=start_of(saved), line=saved.tree.line(at), viewers=[viewer]
                )
                self._remember(at, found)
            self._shown.move_to_end((at, viewer))
            return self._shown[at, viewer]

    def _remember(self, at: int, found: Mapping[str, Any]) -> None:
        for viewer, shown in found["views"].items():
            self._shown[at, int(viewer)] = shown
        if found["last"]:
            self._texts[at] = found["last"]
        while len(self._shown) > _KEPT:
            self._shown.popitem(last=False)

    async def events(self, client: TableClient) -> AsyncIterator[PageEvent]:
        """Yield the present position, and then each event, as a visitor may know it."""
        watcher = _Watcher(client)
        self._watchers.add(watcher)
        watcher.news.put_nowait(self.table.present)
        self.wake()
        try:
            while True:
                news = await watcher.news.get()
                if isinstance(news, PageEvent):
                    yield _MASKED if news.name == "fault" and client.viewer == PUBLIC else news
                    if news.name == _GONE:
                        return
                    continue
                try:
                    shown = await self.position(client, news, watcher.log)
                except TagError as error:
                    yield PageEvent("fault", {"error": str(error)})
                    continue
                watcher.log = (await self._view(news, client.viewer))["log"]
                yield PageEvent("position", shown)
        finally:
            self._watchers.discard(watcher)

    def _tell(self, news: int | PageEvent) -> None:
        for watcher in self._watchers:
            if watcher.news.qsize() >= _BEHIND:
                watcher.news = asyncio.Queue()
                news = self.table.present
            watcher.news.put_nowait(news)


#: The fault of which watchers are told: the sentence of an agent's error may name its hand.
_MASKED: Final = PageEvent("fault", {"error": "an agent, the rules or the ledger failed; players are told how"})
#: The event after which a link leads nowhere.
_GONE: Final = "gone"
_REFUSALS: Final = {
    "play": "it is not this seat's turn, or an agent decides for it",
    "undo": "only players of a free table and the host may undo, and only after the first action",
    "redo": "only players of a free table and the host may redo, and only what was taken back",
    "go": "only players of a free table and the host may go to other positions",
    "seat": "only players of a free table and the host may replace agents",
    "pace": "only players of a free table and the host may set the pace while people play",
    "ask": "the actions of this position are another player's to know",
    "advice": "only players, and those who see everything, may ask agents",
    "name": "only a person without a name may give one, and only before the end of the game",
    "rematch": "only players and the host may play again, and only when the game is over",
    "save": "the game hides information; it can be saved when it is over, or by one who sees everything",
}


def _common(log: Sequence[object], other: Sequence[object]) -> int:
    """Return how many entries two logs have in common; nothing but what their viewer sees decides it."""
    same = 0
    while same < min(len(log), len(other)) and log[same] == other[same]:
        same += 1
    return same
