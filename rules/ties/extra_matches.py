"""Extra matches: level players meet each other once more, and nothing but their order hangs on it.

Two play one match; three and more all against each other once, in the order of rounds of a group.
No extra match ends drawn. Tournament rules, Standings order, drawing of lots; which order extra
matches give is in docs/rules-sources.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules.criteria import CRITERIA, Criterion, Split
from rules.errors import RuleError
from rules.history.group_history import History
from rules.results import EndedBy, PlayerId, Result, Winner
from rules.stages.base import ExtraRound, Pairing, StageState, settled_by_rule
from rules.stages.round_robin import schedule
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def _nothing(_history: History, level: Sequence[PlayerId]) -> Split:
    """Split nobody: which extra matches were played is in no history."""
    return Split(classes=(tuple(level),))


EXTRA_MATCH = Criterion(
    key="extra_match",
    label=Sentence(_("Extra match")),
    short=Sentence(_("Extra")),
    explains=Sentence(
        _(
            "Matches between players whom nothing separates, in place of lots: whoever wins more "
            "of them goes first."
        )
    ),
    split=_nothing,
)
"""What a table and a proof say; nobody chooses it, so it is not in the catalogue."""


def criterion_named(key: str) -> Criterion:
    """Return what placed somebody: a criterion of the catalogue, or the extra match."""
    return EXTRA_MATCH if key == EXTRA_MATCH.key else CRITERIA.get(key)


@dataclass(frozen=True, slots=True)
class ExtraSeries:
    """The rounds in which one set of level players meets, all of them or those made so far."""

    level: tuple[PlayerId, ...]
    rounds: tuple[ExtraRound, ...] = ()

    @property
    def key(self) -> str:
        """Return what it is called as the reason of a place."""
        return EXTRA_MATCH.key

    @property
    def after(self) -> int:
        """Return how many lots had been drawn in the event when its last round was made."""
        return self.rounds[-1].after if self.rounds else 0

    @property
    def away(self) -> tuple[PlayerId, ...]:
        """Return who had left before the first round, and so plays none."""
        first = self.rounds[0].played if self.rounds else ()
        return tuple(pairing.a for pairing, _result in first if pairing.missed)

    @property
    def total(self) -> int:
        """Return how many rounds it has."""
        return len(schedule(len(self.level) - len(self.away)))

    @property
    def all_made(self) -> bool:
        """Say whether no round is to come."""
        return len(self.rounds) >= self.total

    @property
    def results(self) -> Iterator[Result]:
        """Yield the results of all its matches."""
        for item in self.rounds:
            for pairing, result in item.played:
                if not pairing.missed:
                    yield result

    @property
    def over(self) -> bool:
        """Say whether all matches are made and played."""
        return self.all_made and all(result.winner is not None for result in self.results)

    def split(self, level: Sequence[PlayerId]) -> Split | None:
        """Return how it splits level players by the matches they won against each other.

        Who was not there stands behind all others. None where it says nothing of them: it is
        not over, or somebody of them is not of the set that played.
        """
        inside = set(level)
        if not self.over or not inside <= set(self.level):
            return None
        won = dict.fromkeys(level, 0)
        for result in self.results:
            winner = _winner(result)
            if winner is not None and {result.a, result.b} <= inside:
                won[winner] += 1
        away = tuple(player for player in level if player in self.away)
        there = [player for player in level if player not in away]
        classes = tuple(
            tuple(player for player in there if won[player] == most)
            for most in sorted({won[player] for player in there}, reverse=True)
        )
        figures = {player: (number,) for player, number in won.items()}
        return Split(classes=(*classes, away) if away else classes, figures=figures)

    def pairs(self, index: int) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """Return who meets whom in the round of this index, from 0; no pair after the last."""
        players = [player for player in self.level if player not in self.away]
        rounds = schedule(len(players))
        if index >= len(rounds):
            return ()
        return tuple((players[a - 1], players[b - 1]) for a, b in rounds[index])


def series_of(rounds: Iterable[ExtraRound]) -> tuple[ExtraSeries, ...]:
    """Return the series that rounds of extra matches belong to, by when their last was made.

    Rounds of the same players go on with a series until it has all of its own; the next one
    begins another.
    """
    found: list[ExtraSeries] = []
    for item in rounds:
        same = _running(found, item.level)
        if same is not None:
            found.remove(same)
        found.append(ExtraSeries(item.level, (*(same.rounds if same else ()), item)))
    return tuple(found)


def _running(found: Iterable[ExtraSeries], level: Sequence[PlayerId]) -> ExtraSeries | None:
    """Return the series of exactly these players that has rounds to come."""
    same = (series for series in found if set(series.level) == set(level))
    return next((series for series in same if not series.all_made), None)


def series_now(state: StageState, level: Sequence[PlayerId]) -> ExtraSeries:
    """Return the series that the next round of level players belongs to, without that round.

    A series that begins is one of those who are there.
    """
    running = _running(series_of(state.extra), level)
    return running or ExtraSeries(
        tuple(player for player in level if player not in state.withdrawn)
    )


def next_extra(state: StageState, sets: Sequence[Sequence[PlayerId]]) -> tuple[Pairing, ...]:
    """Return the matches of the next round of extra matches of one set of level players or more.

    Each set plays the next round of its own. Raises RuleError ``sets_overlap`` where somebody
    stands in two of them, ``nobody_to_play``.
    """
    players = [player for level in sets for player in level]
    if len(set(players)) != len(players):
        raise RuleError(
            "sets_overlap",
            _("Somebody is in two of these sets. Nothing was made: let one of them play first."),
        )
    count = sum(len(played) for played in (*state.rounds, *(item.played for item in state.extra)))
    made: list[Pairing] = []
    for level in sets:
        made += _next_of(state, level, count + len(made))
    return tuple(made)


def _next_of(state: StageState, level: Sequence[PlayerId], count: int) -> list[Pairing]:
    """Return the matches of the next round of one set, numbered after ``count``.

    Who has left when a series begins has no match in it; later on their matches are forfeits.
    Raises RuleError ``nobody_to_play`` where fewer than two are there.
    """
    series = series_now(state, level)
    away = tuple(player for player in level if player not in series.level)
    if series.total == 0:
        raise RuleError(
            "nobody_to_play",
            _("Fewer than two of these players are still there. Nothing was made: draw lots."),
        )
    home = {player: group for group, seats in state.seats.items() for player in seats}
    made = [
        _pairing(state, home[a], a, b, count + number)
        for number, (a, b) in enumerate(series.pairs(len(series.rounds)), start=1)
    ]
    made += [
        Pairing(
            group=home[player],
            number=count + len(made) + number,
            a=player,
            b=None,
            settled=Winner.NONE,
            ended_by=EndedBy.NO_SHOW,
            missed=True,
        )
        for number, player in enumerate(away, start=1)
    ]
    return made


def _pairing(state: StageState, group: str, a: PlayerId, b: PlayerId, number: int) -> Pairing:
    settled = settled_by_rule(a, b, state)
    return Pairing(
        group=group,
        number=number,
        a=a,
        b=b,
        best_of=state.plan.best_of[0],
        draws=False,
        settled=settled[0] if settled else None,
        ended_by=settled[1] if settled else None,
    )


def _winner(result: Result) -> PlayerId | None:
    if result.winner is Winner.A:
        return result.a
    return result.b if result.winner is Winner.B else None
