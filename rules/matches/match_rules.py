"""How a match is played, what may be claimed about it, and its possible results.

Source: tournament rules, A match.
"""

from dataclasses import dataclass

from rules.errors import BadInput
from rules.results import SEAT_WINNERS, EndedBy, Marks, Places, TieBreak, Winner
from rules.wording import Sentence

LARGEST_SCORE = 999
Seats = tuple[int, ...]
"""Numbers of seats, from 1."""


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
    """A claimed result; seats by number from 1.

    ``winner``, ``ended_by``, ``note`` and ``by_staff`` are of any match; of a table of three and
    more the winner is NONE or VOID. Of two: ``score``, ``games`` = "a", "b", "draw" in the order
    played, and ``tie_break``.

    Of a table one of these: ``order``, the place of each seat, None where it follows from the
    marks; ``first``, the seat that won; ``drawn``, the seats that shared the first place, empty for
    all who are left; ``scores`` by seat, None for whoever has none. Without any of them the marks
    alone say who is left. ``marks`` are those of single seats; ``there`` are seats that were said
    to be absent before, and are not.
    """

    winner: Winner | None = None
    score: tuple[int, int] | None = None
    games: tuple[str, ...] | None = None
    tie_break: TieBreak | None = None
    order: Places | None = None
    first: int | None = None
    drawn: Seats | None = None
    scores: tuple[int | None, ...] | None = None
    marks: Marks = ()
    there: Seats = ()
    ended_by: EndedBy | None = None
    note: str = ""
    by_staff: bool = False

    @property
    def is_of_two(self) -> bool:
        """Return whether it says what only a match of two has."""
        of_two = self.winner in (*SEAT_WINNERS, Winner.DRAW)
        return of_two or bool(self.score or self.games or self.tie_break)

    @property
    def is_of_table(self) -> bool:
        """Return whether it says what only a table of three and more has."""
        said = (self.order, self.first, self.drawn, self.scores)
        return bool(self.marks or self.there) or any(way is not None for way in said)


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
