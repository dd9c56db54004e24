"""Groups of commands, the first of which needs no name: ``tag tune rhea …``."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

import click

from tag.catalogue.registry import agent_names, game_names
from tag.errors import UnknownNameError
from tag.tournaments.commands.settings import GroupedCommand


class UnnamedCommand(GroupedCommand):
    """The command of a `StudyGroup` that needs no name; its help is that of the group, with the others at the end."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage without the command's name."""
        formatter.write_usage(_group(ctx).command_path, " ".join(self.collect_usage_pieces(ctx)))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the other commands of the group."""
        group = _group(ctx)
        commands = group.command.commands if isinstance(group.command, click.Group) else {}
        others = [one for one in commands.values() if one is not self]
        with formatter.section("Commands"):
            formatter.write_dl([(f"{group.command_path} {one.name}", one.get_short_help_str(200)) for one in others])


def _group(ctx: click.Context) -> click.Context:
    return ctx.parent or ctx


class StudyGroup(click.Group):
    """A group whose first command, an `UnnamedCommand`, needs no name: ``tag tune rhea …``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the name of the first command where none is given.

        Raises:
            UnknownNameError: the word looks like a misspelt command.
        """
        if args and self._is_misspelt(args[0]):
            raise UnknownNameError.of("command", args[0], self.commands)
        if not args or args[0] not in self.commands:
            args.insert(0, "run")
        return super().parse_args(ctx, args)

    def _is_misspelt(self, word: str) -> bool:
        """Say whether a word is nearly a command, and neither an agent, a game nor a file, or nearer to these."""
        if word in self.commands or not word.isidentifier() or Path(word).exists():
            return False
        found = get_close_matches(word, [*self.commands, *agent_names(), *game_names()], n=1)
        return bool(found) and found[0] in self.commands
