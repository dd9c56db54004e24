"""A user's own games, agents and heuristics, by path: ``./my_game.py:MyGame``.

Only the text of a file counts: it can be collected on one machine (`source_of`) and provided on another
(`provide_source`); workers get it in this way. The same file with the same text is a module of the same name in every
process. So objects of its classes can be pickled between processes.

Such code may raise anything, exit, or never return. `guarded` runs it and turns all of these into a `UserCodeError`.
"""

from __future__ import annotations

import math
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from importlib.util import decode_source
from pathlib import Path
from threading import current_thread, main_thread
from traceback import walk_tb
from types import FrameType, ModuleType, new_class
from typing import Any, Final, TypeVar

from tag.catalogue import native, process_ends, trust
from tag.catalogue.imports import imported_files
from tag.engine.kept_actions import watch
from tag.engine.parameters import Spec, parse_spec
from tag.errors import TagError, UnknownNameError, UserCodeError, is_of_signal, sentence_of

T = TypeVar("T")

_OWN_MODULES: Final = "tag_user_"
#: mypyc's message for an object of a subclass of a class that is not marked with ``allow_interpreted_subclasses``.
_CLOSED: Final = "interpreted classes cannot inherit from compiled"

#: The variable with the limit of `guarded`, in seconds, and the limit without it: large libraries take long to import
#: where many processes do so at once.
_LIMIT: Final = "TAG_IMPORT_SECONDS"
_SECONDS: Final = 60.0
#: How often code that catches the end of its time is interrupted again, in seconds.
_AGAIN: Final = 1.0

_sources: dict[str, str] = {}
_modules: dict[str, ModuleType] = {}
_imported: dict[str, str] = {}
#: The modules beside each imported file that it imports, with their texts then.
_beside: dict[str, dict[str, str]] = {}


def is_path(name: str) -> bool:
    """Say whether a spec's name is a path to a user's file."""
    return name.endswith(".py") or ".py:" in name


def split_path(name: str) -> tuple[str, str]:
    """Return the file and the class of ``file.py:Class``; the class is empty where none is named.

    Examples:
        >>> split_path("my_game.py:MyGame"), split_path("my_game.py")
        (('my_game.py', 'MyGame'), ('my_game.py', ''))
        >>> is_path("my_game.py:MyGame"), is_path("love_letter")
        (True, False)
    """
    path, _, class_name = name.partition(".py")
    return f"{path}.py", class_name.removeprefix(":")


def source_of(name: str) -> tuple[str, str]:
    """Return the file of ``name`` and its text, for `provide_source` elsewhere.

    Raises:
        UserCodeError: the file cannot be read.
    """
    file, _class_name = split_path(name)
    if file in _sources:
        return file, _sources[file]
    try:
        return file, _text_of(file)
    except (OSError, ValueError, SyntaxError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UserCodeError(f"cannot read {file!r}: {reason}") from None


def texts_of(name: str) -> dict[str, str]:
    """Return the text of the file of ``name``, and of the modules that it imports from its folder, by their paths.

    Raises:
        UserCodeError: the file cannot be read.
    """
    file, text = source_of(name)
    return {file: text, **imported_files(file, text, _text_if_there)}


def _text_if_there(file: str) -> str | None:
    """Return the text that a file was said to have or has, None where there is none that Python reads."""
    return _sources[file] if file in _sources else _text_on_disk(file)


def _text_on_disk(file: str) -> str | None:
    try:
        return _text_of(file)
    except (OSError, ValueError, SyntaxError):
        return None


def module_name(file: str, text: str) -> str:
    """Return the name of the module that a file with this text becomes, the same in every process."""
    digest = blake2b(f"{file}\0{text}".encode(), digest_size=8).hexdigest()
    return f"{_OWN_MODULES}{re.sub('[^A-Za-z0-9_]', '_', Path(file).stem)}_{digest}"


def provide_source(file: str, text: str) -> bool:
    """Let ``file`` mean ``text`` from now on, independently of this machine's disk; say whether it was another before."""
    known = _sources.get(file, _imported.get(file))
    _sources[file] = text
    if known != text:
        _modules.pop(file, None)
    return known not in (None, text)


def withdraw_source(file: str) -> None:
    """Let ``file`` mean again what it is on this machine's disk."""
    _sources.pop(file, None)


def provided(file: str) -> str:
    """Return the text that `provide_source` said ``file`` means; empty if it did not."""
    return _sources.get(file, "")


def forget_changed_files() -> bool:
    """Have files imported anew that have been edited since, as in a notebook; say whether there are any.

    A file counts as edited with the modules that it imports from its folder.
    """
    changed = [file for file in _modules if file not in _sources and _has_changed(file)]
    for file in changed:
        del _modules[file]
        _forget_modules(_beside.pop(file, {}))
    return bool(changed)


def _has_changed(file: str) -> bool:
    """Say whether a file, or a module that it imports from its folder, holds another text than was imported."""
    text = _text_on_disk(file)
    if text is None or text != _imported.get(file):
        return True
    return imported_files(file, text, _text_on_disk) != _beside.get(file)


def _forget_modules(files: Iterable[str]) -> None:
    """Have Python import the modules in some files anew."""
    paths = {os.path.realpath(file) for file in files}
    for name, module in list(sys.modules.items()):
        place = getattr(module, "__file__", None)
        if isinstance(place, str) and os.path.realpath(place) in paths:
            del sys.modules[name]


def _text_of(file: str) -> str:
    """Return the text of a file of Python, in the encoding that its mark or first lines name, as Python reads it."""
    return decode_source(Path(file).read_bytes())


def sources_in_use() -> dict[str, str]:
    """Return the text of every file that has been imported or provided here, for `provide_source` elsewhere."""
    return {**_imported, **_sources}


def check_specs(specs: Iterable[str]) -> None:
    """Refuse specs that another process would run, if they name files or programs that the user has not typed.

    Raises:
        TrustError: one does.
    """
    new = trust.unchecked(specs)
    for spec in new:
        files, programs = code_in(spec)
        for file in files:
            _check_trust(file)
        for program in programs:
            trust.check_program(program)
    trust.note_checked(new)


def code_in(text: str | Spec) -> tuple[list[str], list[str]]:
    """Return the users' files and the programs that a spec names, at any depth; none where the text is no spec."""
    try:
        spec = text if isinstance(text, Spec) else parse_spec(text)
    except TagError:  # the words of a parameter
        return [], []
    files = [split_path(spec.name)[0]] if is_path(spec.name) else []
    programs = []
    for key, value in spec.values.items():
        if key.rpartition(".")[2] in trust.PROGRAM_KEYS:
            programs.append(str(value))
        else:
            inner = code_in(str(value))
            files += inner[0]
            programs += inner[1]
    return files, programs


def _check_trust(file: str) -> None:
    trust.check_file(file, is_altered=file in _sources and _text_on_disk(file) != _sources[file])


@contextmanager
def guarded(task: str, passes: tuple[type[TagError], ...] = (TagError,)) -> Iterator[None]:
    """Run a user's code; turn its exceptions, also `SystemExit`, and a time-out into a `UserCodeError`.

    The limit is `TAG_IMPORT_SECONDS`, 60 by default and 0 for none. It interrupts Python, not native code, and holds in
    a process's main thread, where the command line, workers and isolated agents import.

    Args:
        task: the task, for the message: ``import 'my_agent.py'``.
        passes: exceptions that pass unchanged.

    Raises:
        UserCodeError: it fails.
    """
    seconds = _limit()
    left_alone: tuple[type[BaseException], ...] = (KeyboardInterrupt, *passes)
    process_ends.refuse()
    try:
        with _interrupted_after(seconds):
            yield
    except left_alone:
        raise
    except _TimeUpError as error:
        raise UserCodeError(
            f"cannot {task}: it takes longer than {seconds:g} s{place_of(error)}; {_LIMIT} raises the limit"
        ) from error
    except BaseException as error:  # SystemExit, and what libraries derive from BaseException
        if isinstance(error, SystemExit) and is_of_signal(error):
            raise
        reason = f"{error}{place_of(error)}" if isinstance(error, TagError) else failure_of(error)
        raise UserCodeError(f"cannot {task}: {reason}") from error
    finally:
        process_ends.permit()


def failure_of(error: BaseException) -> str:
    """Return the message of an exception with its line in a user's file: ``KeyError: 3 (a.py, line 7)``."""
    return f"{sentence_of(error)}{place_of(error)}"


def place_of(error: BaseException) -> str:
    """Return the innermost line of a user's file in an exception's traceback, `` (a.py, line 7)``; empty if in none."""
    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    own = [(file, line) for file, line in lines if file in _imported]
    return f" ({own[-1][0]}, line {own[-1][1]})" if own else ""


def load_class(name: str, base: type[T]) -> type[T]:
    """Return the class that ``file.py:Class`` names, or the only subclass of ``base`` in ``file.py``.

    Raises:
        UserCodeError: the file does not import, or has no such class.
    """
    file, class_name = split_path(name)
    own = classes_in(file, base)
    if not class_name:
        if len(own) == 1:
            return next(iter(own.values()))
        raise UserCodeError(f"{file!r} has {len(own)} classes of kind {base.__name__}; name one as {file}:Class")
    if class_name not in own and class_name in vars(_module(file)):
        raise UserCodeError(f"{class_name} in {file!r} is no subclass of {base.__name__}")
    if class_name not in own:
        raise UnknownNameError.of(f"{base.__name__} in {file}", class_name, own)
    check_parents(own[class_name], file)
    return own[class_name]


def check_parents(cls: type, file: str) -> None:
    """Refuse a class of a user's ``file`` that inherits from a compiled class without room for others' subclasses.

    Raises:
        UserCodeError: it does; mypyc would say so only when an object is made, and without the name.
    """
    for parent in cls.__mro__[1:]:
        text = _text_of_compiled(parent)
        if text is not None and _is_closed(parent):
            raise UserCodeError(
                f"{cls.__name__} in {file!r} inherits from {parent.__module__}.{parent.__qualname__}, which is compiled and"
                f" cannot be inherited from; copy {str(text)!r} and change the copy, or install with TAG_COMPILE=0"
            )


def _text_of_compiled(cls: type) -> Path | None:
    """Return the text that a class was compiled from, or the package's folder if it has several; None if interpreted."""
    module = sys.modules.get(cls.__module__)
    native_file = getattr(module, "__file__", None) or ""
    if not native_file.endswith((".so", ".pyd")) or cls.__module__.startswith(_OWN_MODULES):
        return None
    text = Path(native_file).with_name(f"{cls.__module__.rpartition('.')[2]}.py")
    return text.parent if text.name == "forward_model.py" else text


@cache
def _is_closed(parent: type) -> bool:
    """Say whether mypyc refuses objects of interpreted subclasses, by making one, once; a class does not tell otherwise."""
    make: Any = parent.__new__
    try:
        make(new_class("Probe", (parent,)))
    except Exception as error:  # noqa: BLE001  a class with room may want arguments
        return str(error) == _CLOSED
    return False


def load_function(name: str) -> Callable[..., Any]:
    """Return the function that ``file.py:function`` names.

    Raises:
        UserCodeError: the file does not import, or has no such function.
    """
    file, function_name = split_path(name)
    module = _module(file)
    own = {
        key: value
        for key, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    }
    if function_name not in own:
        raise UnknownNameError.of(f"function in {file}", function_name, own)
    found: Callable[..., Any] = own[function_name]
    return found


def classes_in(file: str, base: type[T]) -> dict[str, type[T]]:
    """Return the subclasses of ``base`` that ``file`` defines, by name.

    Raises:
        UserCodeError: the file does not import.
    """
    module = _module(file)
    return {name: value for name, value in vars(module).items() if _is_own(value, base, module)}


class _TimeUpError(BaseException):
    """Interrupts a user's code, which may well catch every `Exception`."""


def _limit() -> float:
    """Return for how many seconds a user's file may be imported; 0 for any."""
    said = os.environ.get(_LIMIT, str(_SECONDS))
    try:
        seconds = float(said)
    except ValueError:
        seconds = math.nan
    if not 0.0 <= seconds < math.inf:
        raise UserCodeError(f"{_LIMIT} cannot be {said!r}; it is a number of seconds, 0 for no limit")
    return seconds


@contextmanager
def _interrupted_after(seconds: float) -> Iterator[None]:
    """Raise `_TimeUpError` in the main thread after so many seconds; a timer that was set before goes on afterwards."""
    former = signal.getsignal(signal.SIGALRM)
    if seconds == 0.0 or former is None or current_thread() is not main_thread():
        yield
        return
    begin = time.monotonic()
    signal.signal(signal.SIGALRM, _interrupt)
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        rest = max(left - (time.monotonic() - begin), 0.001) if left else 0.0
        signal.setitimer(signal.ITIMER_REAL, rest, again)
        signal.signal(signal.SIGALRM, former)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise _TimeUpError


def _module(file: str) -> ModuleType:
    if trust.typed() is not None:
        _check_trust(file)
    if file not in _modules:
        watch()
        _modules[file] = _import(file)
    return _modules[file]


def _is_own(value: Any, base: type, module: ModuleType) -> bool:
    return isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__


def _import(file: str) -> ModuleType:
    with guarded(f"import {file!r}", passes=(UserCodeError,)):
        _file, text = source_of(file)
        _imported[file] = text
        _beside[file] = imported_files(file, text, _text_if_there)
        _check_beside(file)
        module = native.load(module_name(file, text)) or _executed(file, text)
        module.__file__ = file
    return module


def _check_beside(file: str) -> None:
    """Raise `UserCodeError` where a module that a file imports is not here as it was said to be."""
    for part, text in _beside[file].items():
        if part in _sources and _text_on_disk(part) != text:
            raise UserCodeError(f"{part!r} is not here as it was when the tournament began; restore it")


def _executed(file: str, text: str) -> ModuleType:
    module = ModuleType(module_name(file, text))
    module.__file__ = file
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, file, "exec"), vars(module))  # noqa: S102  running the user's own code is the purpose
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module
