"""Has a language model decide, through a command of yours that reads a prompt and prints an answer.

The command may be that of any program: it gets the prompt on its standard input. The last number in its output is the
action. In a spec, the two commands are quoted as in a shell:

    tag play love_letter --agent "process:hang_seconds=300,command=python ask_a_model.py --command 'llm -m MODEL'" ...
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from typing import Any

_PROMPT = """You are player {player} of {players} in the game {title}. Player {player} sees this position:

{position}

These actions are available:

{actions}

Answer with the number of the action that you choose, and with nothing else.
"""


def prompt_of(game: dict[str, Any], question: dict[str, Any]) -> str:
    """Return the prompt for a decision in a game."""
    return _PROMPT.format(
        **game,
        position=question["observation"]["text"],
        actions="\n".join(f"{action['index']}: {action['text']}" for action in question["actions"]),
    )


def choice(command: list[str], prompt: str, n_actions: int, tries: int = 2) -> dict[str, Any]:
    """Return the answer to a question: what the model chooses, or an error if it chooses nothing that is there."""
    said = ""
    for _try in range(tries):
        done = subprocess.run(command, input=prompt, capture_output=True, text=True, check=False)  # noqa: S603  the user's
        if done.returncode:
            return {"error": f"{command[0]} failed: {done.stderr.strip()[-200:]}"}
        said = done.stdout.strip()
        numbers = re.findall(r"\d+", said)
        if numbers and int(numbers[-1]) < n_actions:
            return {"index": int(numbers[-1])}
    return {"error": f"the model chose none of {n_actions} actions: {said[-200:]}"}


def main() -> None:
    """Answer a line with a line until there are no more."""
    parser = argparse.ArgumentParser(description="Has a language model decide.")
    parser.add_argument("--command", required=True, help="reads a prompt from its standard input and prints an answer")
    command = shlex.split(parser.parse_args().command)
    game: dict[str, Any] = {}
    for line in sys.stdin:
        question = json.loads(line)
        answer: dict[str, Any] = {}
        if question["type"] == "hello":
            answer = {"protocol": 1}
        elif question["type"] == "game":
            game = question
        elif question["type"] == "act":
            answer = choice(command, prompt_of(game, question), len(question["actions"]))
        print(json.dumps({"id": question["id"], **answer}), flush=True)


if __name__ == "__main__":
    main()
