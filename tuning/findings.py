"""What a study's trials say: what is recommended and how it differs, the best configurations, what matters."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from tournaments.intervals import HALF_WIDTH, half_width_text
from tuning.configurations import Configuration
from tuning.differences import Difference, differences
from tuning.effects import Effects, effects_of
from tuning.posterior import Posterior, posterior_of
from tuning.results import StudyResults
from tuning.search_space import SearchSpace
from tuning.trials import latest

#: So many of the best configurations are told of.
_TOP: Final = 10
#: Samplers that recommend by a model of their own, and which; the others by the one that all values shown are of.
OWN_MODELS: Final = {"ntbea": "its means over pairs of parameters"}


@dataclass(frozen=True)
class Estimate:
    """What the model takes a value to be.

    Attributes:
        value: of the objective.
        deviation: the standard deviation of that.
    """

    value: float
    deviation: float

    @property
    def text(self) -> str:
        """The value and half the length of its 95 % interval."""
        return f"{self.value:.3f} {self.half_text}"

    @property
    def half_text(self) -> str:
        """Half the length of the 95 % interval."""
        return f"± {half_width_text(HALF_WIDTH * self.deviation, '.3f')}"


@dataclass(frozen=True)
class Ranked:
    """A configuration among the best.

    Attributes:
        spec: of the agent.
        estimate: of the model.
        games: that it has played.
        observed: the objective in these alone, which flatters the best.
    """

    spec: str
    estimate: Estimate
    games: int
    observed: float


@dataclass(frozen=True)
class Findings:
    """What the model makes of a study's trials.

    Attributes:
        posterior: what it knows of every configuration.
        effects: which parameters matter.
        candidate: the spec of what the search recommends by now.
        configuration: what is searched of it.
        estimate: of it.
        played: how many games of it the search has played; 0 where only the model speaks for it.
        default: of the default; None where that is outside of what is searched.
        differences: of the candidate from the default.
        top: the best configurations that were tried, best first.
        remark: whose recommendation it is where that is another model's than the values are; empty where it is not.
    """

    posterior: Posterior
    effects: Effects
    candidate: str
    configuration: Configuration
    estimate: Estimate
    played: int
    default: Estimate | None
    differences: list[Difference]
    top: list[Ranked]
    remark: str

    @property
    def space(self) -> SearchSpace:
        """What was searched."""
        return self.posterior.space

    def to_json(self) -> dict[str, Any]:
        """Return what can be said in plain values."""
        return {
            "candidate": {"spec": self.candidate, **asdict(self.estimate), "played": self.played},
            "remark": self.remark,
            "default": asdict(self.default) if self.default else None,
            "differences": [one.to_json() for one in self.differences],
            "top": [
                {"spec": one.spec, **asdict(one.estimate), "games": one.games, "observed": one.observed}
                for one in self.top
            ],
            "importance": [asdict(one) for one in self.effects.parameters],
        }


def findings_of(results: StudyResults) -> Findings | None:
    """Return what a study's trials say by now; None as long as none of them has a value."""
    posterior = posterior_of(results)
    if posterior is None:
        return None
    definition = results.manifest.definition
    space = definition.space
    best = posterior.best(_TOP)
    candidate = str(results.incumbents["spec"].iloc[-1]) if len(results.incumbents) else best[0].spec
    configuration = space.configuration(candidate)
    of_candidate, of_default, *of_best = [
        Estimate(float(value), float(deviation))
        for value, deviation in zip(
            *posterior.values([configuration, space.default, *(one.configuration for one in best)]), strict=True
        )
    ]
    return Findings(
        posterior,
        effects_of(posterior.means, space.configurations),
        candidate,
        configuration,
        of_candidate,
        _games_of(results, candidate),
        of_default if space.spec(space.default) == definition.default else None,
        differences(definition.default, candidate),
        [Ranked(one.spec, estimate, one.games, one.value) for one, estimate in zip(best, of_best, strict=True)],
        _remark(definition.sampler),
    )


def _games_of(results: StudyResults, spec: str) -> int:
    """Return how many games of a configuration the study knows: of the last search, or of studies before."""
    if "played" in results.incumbents and len(results.incumbents):
        return int(results.incumbents["played"].iloc[-1])
    trials = latest(results.trials)
    return int(trials["games"][trials["spec"] == spec].sum())


def _remark(sampler: str) -> str:
    """Say whose recommendation it is, if it is another model's than the values are."""
    if sampler not in OWN_MODELS:
        return ""
    return (
        f"what is recommended is {sampler}'s choice, by {OWN_MODELS[sampler]}; all values are those of a Gaussian process "
        "of the same games, which may think more of others"
    )
