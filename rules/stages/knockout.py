"""Single elimination: who loses is out, and nothing ends level."""

from collections.abc import Iterator

from rules.brackets import BracketMatch, From, Source, bracket, rounds_of
from rules.errors import RuleError
from rules.plan import StagePlan
from rules.results import EndedBy, PlayerId, Result, Winner
from rules.stages.base import STAGE_KINDS, Pairing, StageState, forfeit
from rules.wording import Sentence
from rules.wording import gettext_noop as _


class Knockout:
    """One bracket, or with several survivors so many small ones, in one group of seats."""

    key = "knockout"

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the matches of the next round, () after the last.

        Who has no opponent, because the seat is empty or both lost the match before, has a
        bye. Raises RuleError ``results_missing``.
        """
        number = len(state.rounds) + 1
        known = played_matches(state)
        if any(result.winner is None for _pairing, result in known.values()):
            raise RuleError(
                "results_missing",
                _("The next round depends on results that are missing. Enter them first."),
            )
        matches = [match for match in bracket_of(state) if match.round == number]
        return tuple(_pairings(state, matches, known))

    def total_rounds(self, state: StageState) -> int:
        """Return the number of rounds of the bracket."""
        return rounds_of(len(state.seats[state.plan.groups[0].name]), state.plan.survivors)

    def is_over(self, state: StageState) -> bool:
        """Say whether no match is to come."""
        return not self.next_round(state)

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Name a round by how many are left in it, or as a round of a play-in."""
        distance = self.total_rounds(state) - number
        if state.plan.survivors > 1:
            return Sentence(_("Play-in, round %(round)s"), {"round": number})
        if distance == 0:
            return _last_round(state)
        if distance == 1:
            return Sentence(_("Semi-finals"))
        if distance == 2:
            return Sentence(_("Quarter-finals"))
        return Sentence(_("Round of %(players)s"), {"players": 2 ** (distance + 1)})


def final_label(plan: StagePlan) -> Sentence:
    """Name the last match of a knock-out: a final only where it decides who wins the event."""
    if plan.ranks_from > 1:
        return Sentence(_("For place %(place)s"), {"place": plan.ranks_from})
    return Sentence(_("Final"))


def match_label(plan: StagePlan, match: BracketMatch) -> Sentence:
    """Name a match of a knock-out: that of the losers of the semi-finals by what it is for."""
    if match.third_place and plan.ranks_from > 1:
        return Sentence(_("For place %(place)s"), {"place": plan.ranks_from + 2})
    return match.label


def _last_round(state: StageState) -> Sentence:
    if not any(match.third_place for match in bracket_of(state)):
        return final_label(state.plan)
    if state.plan.ranks_from > 1:
        values = {"place": state.plan.ranks_from, "other": state.plan.ranks_from + 2}
        return Sentence(_("For places %(place)s and %(other)s"), values)
    return Sentence(_("Final and third place"))


def bracket_of(state: StageState) -> tuple[BracketMatch, ...]:
    """Return the shape of a stage's bracket."""
    seats = len(state.seats[state.plan.groups[0].name])
    return bracket(seats, state.plan.survivors, state.plan.third_place)


def played_matches(state: StageState) -> dict[int, tuple[Pairing, Result]]:
    """Return the matches made so far by their number; one without any player is missing."""
    return {
        pairing.number: (pairing, result) for played in state.rounds for pairing, result in played
    }


def winner_of(result: Result) -> PlayerId | None:
    """Return who goes on, None when nobody does or nothing is decided."""
    if result.winner is Winner.A:
        return result.a
    return result.b if result.winner is Winner.B else None


def loser_of(result: Result) -> PlayerId | None:
    """Return who lost to somebody, None after a bye or a double loss."""
    if result.winner is Winner.A:
        return result.b
    return result.a if result.winner is Winner.B else None


def _pairings(
    state: StageState, matches: list[BracketMatch], known: dict[int, tuple[Pairing, Result]]
) -> Iterator[Pairing]:
    best_of = state.plan.best_of
    group = state.plan.groups[0].name
    for match in matches:
        a, b = (_player(state, source, known) for source in match.sources)
        if a is None:
            a, b = b, None
        if a is None:
            continue
        settled = (Winner.A, EndedBy.BYE) if b is None else forfeit(a, b, state.withdrawn)
        yield Pairing(
            group=group,
            number=match.number,
            a=a,
            b=b,
            best_of=best_of[min(match.distance, len(best_of) - 1)],
            draws=False,
            settled=settled[0] if settled else None,
            ended_by=settled[1] if settled else None,
        )


def _player(
    state: StageState, source: Source, known: dict[int, tuple[Pairing, Result]]
) -> PlayerId | None:
    if isinstance(source, From):
        if source.match not in known:
            return None
        _pairing, result = known[source.match]
        return winner_of(result) if source.winner else loser_of(result)
    seats = state.seats[state.plan.groups[0].name]
    return seats[source.number - 1] if source.number <= len(seats) else None


KNOCKOUT = STAGE_KINDS.add(Knockout())
