"""Parts of a schedule: every game is in one of them, and none has games that the whole does not have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tag.errors import ParameterError, UnknownNameError
from tag.tournaments.definition import define
from tag.tournaments.designs.parts import Part, listed, missing_parts
from tag.tournaments.designs.schedule import Schedule


@given(st.integers(1, 300), st.integers(1, 40))
def test_every_block_is_in_one_part_and_parts_differ_by_one_block(blocks: int, of: int) -> None:
    parts = [Part(number, of) for number in range(1, of + 1)]
    shares = [[block for block in range(blocks) if part.has(block)] for part in parts]
    assert sorted(block for share in shares for block in share) == list(range(blocks))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    for part, share in zip(parts, shares, strict=True):
        assert part.count(blocks) == len(share)
        assert [part.end(count) for count in range(len(share) + 1)] == [0, *(block + 1 for block in share)]


@given(st.integers(1, 12), st.integers(1, 15), st.sampled_from(["round_robin", "gauntlet", "ladder", "self_play"]))
def test_the_schedules_of_all_parts_are_that_of_the_whole(blocks: int, of: int, design: str) -> None:
    whole = Schedule(3, 2, blocks, seed=4, design=design)
    parts = [Schedule(3, 2, blocks, seed=4, design=design, part=Part(number, of)) for number in range(1, of + 1)]
    assert sorted(game for part in parts for game in part) == sorted(whole)
    assert [len(list(part)) for part in parts] == list(map(len, parts))
    assert sum(part.blocks for part in parts) == whole.blocks
    assert {part.end for part in parts} == {whole.end}


def test_a_part_has_only_its_own_games() -> None:
    part = define("tic_tac_toe", ["random", "osla"], 7, part="3/3").schedule()
    assert part.product == "2 blocks x 1 match-up x 2 seatings"
    part.check("b5-m0-s1")
    with pytest.raises(UnknownNameError, match="no game named 'b3-m0-s0'; there are: b2-m0-s0 to b5-m0-s1"):
        part.check("b3-m0-s0")
    with pytest.raises(UnknownNameError, match="this part of the tournament has none"):
        define("tic_tac_toe", ["random", "osla"], 1, part="3/3").schedule().check("b0-m0-s0")


@pytest.mark.parametrize(
    ("text", "near"),
    [("0/8", "1/8"), ("9/8", "8/8"), ("x", "3/8"), ("1/0", "3/8"), ("3", "3/8"), ("-1/8", "3/8"), ("1/2/3", "3/8")],
)
def test_what_is_no_part_is_refused_with_the_nearest(text: str, near: str) -> None:
    with pytest.raises(ParameterError, match=f"part cannot be '{text}'; .* such as {near}$"):
        define("tic_tac_toe", ["random", "osla"], 4, part=text)


def test_a_schedule_that_learns_has_no_parts() -> None:
    with pytest.raises(ParameterError, match="part cannot be combined with design swiss: what is played depends on"):
        Schedule(4, 2, 4, seed=1, design="swiss", part=Part(1, 2))


def test_a_part_has_one_spelling() -> None:
    assert define("tic_tac_toe", ["random", "osla"], 4, part="03/08").part == "3/8"


@given(st.sets(st.integers(1, 60)))
def test_numbers_in_words_say_which_they_are(numbers: set[int]) -> None:
    read = list[int]()
    for word in listed(sorted(numbers)).replace(" and ", ", ").split(", "):
        first, _to, last = word.partition(" to ")
        read += range(int(first), int(last or first) + 1) if word else []
    assert read == sorted(numbers)


def test_parts_without_blocks_are_not_missing() -> None:
    assert missing_parts({1}, 9, 1) == ""
    assert missing_parts({1}, 9, 3) == "parts 2 and 3 of 9 are missing"
