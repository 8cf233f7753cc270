"""A player's way through the stages of an event."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import PlayerId, Result
from rules.scenarios import Verdict
from rules.stages.bracket_progress import still_in
from rules.stages.double_elimination import round_label as bracket_round
from rules.stages.kind import shape_of
from rules.stages.knockout import loser_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import final_label, games_as_read, group_label
from tournaments.core.told_ranks import rank_figure, rank_ordinal, shared_ranks
from tournaments.models import Stage
from tournaments.standings.selectors.rank_details import certain_verdicts
from tournaments.standings.selectors.told import as_of_words, told_row_in

AHEAD, NOW, DONE, SKIPPED, LOST = "ahead", "now", "done", "skipped", "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One stage of a player's way through the event; ``state`` is AHEAD, NOW, DONE or SKIPPED.

    A round of a knock-out may be LOST, too.

    ``rank`` is the rank in a stage with a table, "" elsewhere and before a match has been played:
    the same that the player's figures and their own page tell (``standings.selectors.told``).
    """

    label: str
    state: str
    words: str
    rank: str = ""


def road_of(facts: EventFacts, number: PlayerId) -> Iterator[Step]:
    """Yield a player's steps, one for each stage of the event; none before the start; no query."""
    ranked = {player for level in facts.ranking for player in level}
    out = number in ranked or _surely_out(facts, number)
    for stage in facts.stages:
        label = translate(stage.plan.label)
        if sits_in(stage, number):
            yield _step_of(facts, stage, number, label)
        elif stage.stage.state != Stage.State.PENDING or out:
            yield Step(label=label, state=SKIPPED, words=_("not in this stage"))
        elif not facts.entries[number].plays:
            yield Step(label=label, state=SKIPPED, words="")
        else:
            yield Step(label=label, state=AHEAD, words=_("to come"))


def _surely_out(facts: EventFacts, number: PlayerId) -> bool:
    """Return whether it is certain, as far as readers are told, that a player goes on nowhere."""
    stage = facts.open_stage
    for group, standings in stage.outcome.standings.items() if stage else ():
        if stage is not None and number in stage.state.seats[group]:
            found = certain_verdicts(facts, stage, group, standings)
            return found.get(number) is Verdict.OUT
    return False


def closed_road(facts: EventFacts, number: PlayerId) -> Iterator[Step]:
    """Yield the steps of a player who has nothing more to play; no query.

    The rounds of a knock-out stand in place of the stage. Nothing is to come, and no rank is told
    of a stage that goes on.
    """
    for stage, step in zip(facts.stages, road_of(facts, number), strict=True):
        if stage.kind.has_bracket and not stage.kind.two_brackets and sits_in(stage, number):
            yield from map(_closed, _rounds_of_knockout(stage, number))
        else:
            yield _closed(step)


def _closed(step: Step) -> Step:
    closed = {AHEAD: SKIPPED, NOW: DONE}.get(step.state)
    return Step(label=step.label, state=closed, words="") if closed else step


def _rounds_of_knockout(stage: StageFacts, number: PlayerId) -> Iterator[Step]:
    lost = False
    for index in range(1, stage.total_rounds + 1):
        played = stage.state.rounds[index - 1] if index <= len(stage.state.rounds) else ()
        own = next(((p, r) for p, r in played if number in p.seats), None)
        if own is None:
            label = translate(stage.kind.describe_round(stage.state, index))
            out = lost or bool(played)
            words = _("not in this round") if out else ""
            yield Step(label=label, state=SKIPPED if out else AHEAD, words=words)
            continue
        pairing, result = own
        lost = result.counts and number == loser_of(result)
        state = LOST if lost else DONE if result.counts else NOW
        label = _round_in_bracket(stage, index, pairing.number)
        yield Step(label=label, state=state, words=_how_it_went(result, number))


def _how_it_went(result: Result, number: PlayerId) -> str:
    if len(result.seats) == 1:
        return _("bye")
    made = games_as_read(result.games_won) if result.games_won else result.score
    if made is None or not result.counts:
        return ""
    own, other = made if result.seats[0] == number else made[::-1]
    return f"{own}–{other}"


def sits_in(stage: StageFacts, number: PlayerId) -> bool:
    """Return whether a player has a seat in a stage; false in a pending stage."""
    return any(number in seats for seats in stage.state.seats.values())


def _step_of(facts: EventFacts, stage: StageFacts, number: PlayerId, label: str) -> Step:
    open_ = stage.stage.state == Stage.State.OPEN
    if stage.kind.has_bracket:
        going = open_ and number in still_in(stage.state)
        state = NOW if going else DONE
        return Step(label=label, state=state, words=_in_bracket(stage, number))
    group = next(name for name, seats in stage.state.seats.items() if number in seats)
    name = group_label(stage.plan, group) if len(stage.plan.groups) > 1 else ""
    told = told_row_in(facts, stage, group, number)
    figure, rank, as_of = "", "", ""
    if told is not None:
        own = told.row.rank
        shared = own in shared_ranks(told.standings)
        figure, rank = rank_figure(own, shared=shared), rank_ordinal(own, shared=shared)
        as_of = as_of_words(told.rounds)
    return Step(
        label=label,
        state=NOW if open_ else DONE,
        words=", ".join(filter(None, (rank, name, as_of))),
        rank=figure,
    )


def _in_bracket(stage: StageFacts, number: PlayerId) -> str:
    """Return the last round of a player in a bracket, and how it ended."""
    met = [
        (index, pairing.number, result)
        for index, played in enumerate(stage.state.rounds, start=1)
        for pairing, result in played
        if number in pairing.seats
    ]
    if not met:
        return ""
    index, match, result = met[-1]
    in_words = _round_in_bracket(stage, index, match)
    if stage.plan.survivors > 1:  # whose rounds have the stage in their name
        in_words = _("Round %(number)s") % {"number": index}
    values = {"round": in_words}
    if not result.counts:
        return str(values["round"])
    lost = number == loser_of(result)
    return _("%(round)s: lost") % values if lost else _("%(round)s: won") % values


def _round_in_bracket(stage: StageFacts, index: int, match: int) -> str:
    """Return the label of a match's round, the ``index``-th of its stage."""
    if stage.kind.two_brackets:
        found = next(each for each in shape_of(stage.plan) if each.number == match)
        return translate(bracket_round(stage.plan, found))
    words = stage.kind.describe_round(stage.state, index)
    return final_label(stage.plan, match) or translate(words)
