"""Constructors of compiled classes pass exceptions on."""

from __future__ import annotations

import pytest

from tag import make_agent
from tag.errors import UnknownNameError


@pytest.mark.parametrize("parameter", ["heuristic", "opponent"])
@pytest.mark.parametrize("agent", ["rhea", "rmhc"])
def test_a_part_that_cannot_be_made_says_why(agent: str, parameter: str) -> None:
    """mypyc lost the exception in classes with ``__new__``, and Python raised `SystemError`."""
    with pytest.raises(UnknownNameError, match="named 'nonsense'; there are: "):
        make_agent(f"{agent}:{parameter}=nonsense")
