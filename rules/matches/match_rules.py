"""How a match is played, what may be claimed about it, and its possible results.

Source: tournament rules, A match.
"""

from dataclasses import dataclass

from rules.errors import BadInput
from rules.results import EndedBy, TieBreak, Winner
from rules.tables.results import Marks
from rules.wording import Sentence

LARGEST_SCORE = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRules:
    """The rules of a match; ``draws`` False in a knock-out.

    ``score`` is "games", "points", or "promotion" for the points of Doomtrooper, with its battle
    cards and warriors. A game of points ends at the ``target``; 0: whenever it ends.

    ``timed``: the stage has a time limit. A group match without one can still be stopped by a
    judge, so it only matters in a knock-out. ``size`` is the number of seats; ``gone`` are the
    marks of those at a table of three or more whose players have left the event meanwhile.
    """

    best_of: int
    draws: bool
    score: str
    timed: bool
    target: int = 40
    size: int = 2
    gone: Marks = ()

    @property
    def needed(self) -> int:
        """Return the number of games needed to win: more than half of n."""
        return self.best_of // 2 + 1

    @property
    def by_points(self) -> bool:
        """Return whether the match is one game decided by points."""
        return self.score in ("promotion", "points") and self.best_of == 1 and self.size < 3

    @property
    def by_promotion(self) -> bool:
        """Return whether these are the promotion points of Doomtrooper."""
        return self.by_points and self.score == "promotion"

    @property
    def example(self) -> int:
        """Return a winner's score to name as an example."""
        return self.target if self.by_promotion else 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claimed result; ``games`` = "a", "b", "draw" in the order played."""

    score: tuple[int, int] | None = None
    games: tuple[str, ...] | None = None
    winner: Winner | None = None
    ended_by: EndedBy | None = None
    tie_break: TieBreak | None = None
    note: str = ""
    by_staff: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A stored result; ``games`` is empty and ``games_won`` known if only totals are given.

    ``by_decision``: the staff named a winner against the score, with a reason.
    """

    winner: Winner
    score: tuple[int, int] | None
    games: tuple[str, ...]
    games_won: tuple[int, int, int] | None
    ended_by: EndedBy
    tie_break: TieBreak | None = None
    by_decision: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A button for one legal result of best of n, seen from player a."""

    key: str
    label: Sentence
    claim: Claim


def presets(rules: MatchRules) -> tuple[Preset, ...]:
    """Return the legal results of best of n as buttons; none if points or places are typed."""
    if rules.by_points or rules.size > 2:
        return ()
    most = rules.needed
    totals = [(most, lost) for lost in range(most)]
    stopped = [(won, lost) for won in range(most - 1, 0, -1) for lost in range(won)]
    wins = totals + (stopped if rules.timed else [])
    buttons = [_preset_of_totals(*total) for total in wins] + [
        _preset_of_totals(b, a) for a, b in wins
    ]
    if rules.draws:
        level = range(most - 1, 0, -1) if rules.timed else ()
        buttons += [_preset_of_totals(each, each) for each in level]
        drawn = Claim(games=("draw",) * rules.best_of)
        key = f"0-0-{rules.best_of}"
        buttons.append(Preset(key=key, label=Sentence(key), claim=drawn))
    return tuple(buttons)


def impossible(rules: MatchRules, problem: str, **values: object) -> BadInput:
    """Return the error ``impossible_result``, whose sentence names the possible results."""
    return BadInput(
        "impossible_result",
        "%(problem)s Possible: %(possible)s.",
        problem=Sentence(problem, values),
        possible=possible_results(rules),
    )


def possible_results(rules: MatchRules) -> Sentence:
    """Return the possible results of a match under these rules, in words."""
    if rules.by_points:
        return Sentence(
            "two whole numbers from 0 to %(most)s, such as %(target)s 22",
            {"most": LARGEST_SCORE, "target": rules.example},
        )
    return Sentence(
        "%(results)s, or the games in their order",
        {"results": tuple(preset.key for preset in presets(rules))},
    )


def _preset_of_totals(a: int, b: int) -> Preset:
    key = f"{a}-{b}"
    return Preset(key=key, label=Sentence(key), claim=Claim(score=(a, b)))
