"""The pages of the workbench: a form of a new run, and the runs with what can be done with each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tag.catalogue.registry import learner_names
from tag.catalogue.user_code import is_path
from tag.errors import TagError, TrustError, one_line
from tag.tournaments.driver.counts import duration
from tag.tournaments.web.forms import catalogue, form_of
from tag.tournaments.web.live.folders import Kinds
from tag.tournaments.web.server import json_object, page, without_folders
from tag.tuning.commands.workbench.fields import forms
from tag.tuning.commands.workbench.kinds import KINDS, kind_named
from tag.tuning.commands.workbench.processes import FORM, read_output, run_shortly
from tag.tuning.commands.workbench.runs import ESTIMATE_SECONDS, MOST_RUNS, Runs
from tag.tuning.commands.workbench.wanted import RefusedError, WantedRun, field_in, read_values, typed_name

T = TypeVar("T")
WORKBENCH: Final = "/workbench"
#: So many estimates are made at once.
_MOST_ESTIMATES: Final = 2


class WorkbenchPages:
    """The routes of the workbench; all need the token of the host (`tag.tournaments.web.server`)."""

    def __init__(self, folders: Sequence[Path], kinds: Kinds, *, trusts: bool = False) -> None:
        """Take the folders that are served, the kinds of folders in them, and whether users' files and programs may run."""
        self._runs = Runs(folders, kinds, trusts=trusts)
        self._trusts = trusts
        self._lock = asyncio.Lock()
        self._estimates = 0

    def routes(self) -> list[Route]:
        """Return the routes."""
        changes = {"start": self.start, "pause": self.pause, "resume": self.resume, "extend": self.extend}
        asked = {"check": self.check, "estimate": self.estimate, "forget": self.forget}
        return [
            Route(WORKBENCH, self.show),
            Route(f"{WORKBENCH}/runs", self.list_runs),
            Route(f"{WORKBENCH}/forms", self.forms),
            *(Route(f"{WORKBENCH}/{name}", posted, methods=["POST"]) for name, posted in {**changes, **asked}.items()),
        ]

    async def show(self, _request: Request) -> Response:
        """Answer with the page."""
        return page(
            "workbench/workbench.html.jinja",
            forms=await asyncio.to_thread(forms),
            places=self._runs.places,
            most=MOST_RUNS,
            **await asyncio.to_thread(_catalogue),
        )

    async def list_runs(self, _request: Request) -> Response:
        """Answer with all runs."""
        return JSONResponse({"runs": await self._alone(self._runs.rows)})

    async def forms(self, request: Request) -> Response:
        """Answer with a game, agent or learner and its parameters, for a form."""
        names = [(kind, name) for kind, name in request.query_params.items() if kind in ("game", "agent", "learner")]
        if len(names) != 1:
            raise HTTPException(400, "a form is of one game, agent or learner")
        kind, text = names[0]
        return JSONResponse(await asyncio.to_thread(self._form, kind, typed_name(kind, text, trusts=self._trusts)))

    async def check(self, request: Request) -> Response:
        """Answer with the command and the Python call of a form, or what is refused of it."""
        body = await json_object(request)
        try:
            _name, wanted = await self._alone(self._wanted, body)
        except RefusedError as refusal:
            return _refused(refusal.field, refusal)
        return JSONResponse({"command": wanted.command, "call": wanted.call})

    async def estimate(self, request: Request) -> Response:
        """Answer with the games, the time and the room of what a form asks for."""
        body = await json_object(request)
        if self._estimates >= _MOST_ESTIMATES:
            raise HTTPException(429, "an estimate is being made; wait for it")
        self._estimates += 1
        try:
            return await self._estimated(body)
        finally:
            self._estimates -= 1

    async def _estimated(self, body: Mapping[str, Any]) -> Response:
        try:
            _name, wanted = await self._alone(self._wanted, body)
        except RefusedError as refusal:
            return _refused(refusal.field, refusal)
        try:
            found = await asyncio.to_thread(self._runs.estimate, wanted)
        except TagError as error:
            return _refused(field_in(wanted, str(error)), error)
        return JSONResponse({"text": estimate_text(found), "estimate": found})

    async def start(self, request: Request) -> Response:
        """Start the run of a form."""
        body = await json_object(request)
        try:
            name = await self._alone(self._start, body)
        except RefusedError as refusal:
            return _refused(refusal.field, refusal)
        return JSONResponse({"run": name})

    async def pause(self, request: Request) -> Response:
        """Ask a run to end in good order."""
        body = await json_object(request)
        await self._alone(self._runs.pause, body.get("run"))
        return JSONResponse({})

    async def resume(self, request: Request) -> Response:
        """Go on with a run."""
        body = await json_object(request)
        await self._alone(self._runs.resume, body.get("run"))
        return JSONResponse({})

    async def extend(self, request: Request) -> Response:
        """Have a run play more."""
        body = await json_object(request)
        try:
            said = await self._alone(self._runs.extend, body.get("run"), body.get("values"))
        except RefusedError as refusal:
            return _refused(refusal.field, refusal)
        return JSONResponse({"said": without_folders(said)})

    async def forget(self, request: Request) -> Response:
        """Take a failed run out of the list."""
        body = await json_object(request)
        await self._alone(self._runs.forget, body.get("run"))
        return JSONResponse({})

    def _wanted(self, body: Mapping[str, Any]) -> tuple[str, WantedRun]:
        kind = kind_named(body.get("kind"))
        values = read_values(kind, body.get("values"), trusts=self._trusts)
        name, out = self._runs.out_of(body.get("name") or self._runs.free_name(kind))
        wanted = WantedRun(kind, out, values)
        wanted.check()
        return name, wanted

    def _start(self, body: Mapping[str, Any]) -> str:
        name, wanted = self._wanted(body)
        wanted.check_needed()
        self._runs.start(name, wanted)
        return name

    def _form(self, kind: str, name: str) -> Mapping[str, Any]:
        """Return the form of a name; a user's file is imported by a process of its own, as it may hang or end that."""
        if not is_path(name):
            return form_of(kind, name)
        found: Mapping[str, Any] = read_output(run_shortly([kind, name], ESTIMATE_SECONDS, FORM))
        return found

    async def _alone(self, task: Callable[..., T], *arguments: Any) -> T:
        """Return the result of a task that reads or changes the runs, in a thread, one after the other."""
        async with self._lock:
            return await asyncio.to_thread(task, *arguments)


def estimate_text(found: Mapping[str, Any]) -> str:
    """Return an estimate in words: games, time and room.

    Examples:
        >>> estimate_text({"games": 1200, "at_most": True, "seconds": 90.0, "bytes": 2_500_000})
        'at most 1,200 games, 1 min 30 s, 2.5 MB'
    """
    events = found.get("events", {}).values()
    is_most = found.get("at_most") or any(event["at_most"] for event in events)
    most = "at most " if is_most else ""
    about = "" if is_most else "about "
    return f"{most}{found['games']:,} games, {about}{duration(found['seconds'])}, {found['bytes'] / 1e6:,.1f} MB"


def _catalogue() -> dict[str, Any]:
    return {**catalogue(), "learners": learner_names(), "kinds": list(KINDS)}


def _refused(field: str, error: TagError) -> Response:
    """Answer with what is refused, in a sentence and with the field that it concerns."""
    status = 403 if isinstance(error.__cause__, TrustError) else 400
    return JSONResponse({"error": without_folders(one_line(str(error))), "field": field}, status)
