"""Where each player went out, and against whom, in a few words."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets import BracketMatch, Part
from rules.events.lifecycle import AT_THE_TABLE, Departure
from rules.results import EndedBy, PlayerId, Result
from rules.stages.kind import shape_of
from rules.stages.knockout import loser_of, winner_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import (
    group_label,
    ordinal,
    rank_ordinal,
    round_label,
    round_of_match,
    shared_ranks,
)
from tournaments.diagrams.selectors.drawn_slots import shortest_names
from tournaments.models import Entry, Stage
from tournaments.standings.selectors.rows import LEAVERS

PLAYED = AT_THE_TABLE | {EndedBy.BYE}
"""Ends of a match at which its players were there."""


def exits(facts: EventFacts) -> dict[PlayerId, str]:
    """Return, for each seated player, the stage or round in which they went out; "" if none yet.

    Who wins the event has the final, who leaves has the round after which they left.
    """
    found: dict[PlayerId, str] = {}
    begun = [stage for stage in facts.stages if stage.stage.state != Stage.State.PENDING]
    names = shortest_names(facts.entries.values())
    for stage in begun:
        found |= dict.fromkeys(stage.state.players, "")
        if stage.kind.own_order(stage.state) is not None:
            found |= dict(_from_cut(stage))
        elif stage.kind.has_table:
            found |= dict(_from_tables(facts, stage, begun))
        else:
            found |= dict(_from_bracket(stage, names))
    gone = {player: _gone(facts, player) for player, words in found.items() if not words}
    return found | gone


def _gone(facts: EventFacts, player: PlayerId) -> str:
    """Return how somebody left who went out in no match and no table, "" of others."""
    entry = facts.entries[player]
    if entry.departure == Departure.NO_SHOW:
        return _("did not show up")
    return lowered(str(entry.get_status_display())) if entry.status in LEAVERS else ""


def lowered(label: str) -> str:
    """Return a label as it stands inside a sentence, with a small first letter."""
    named = label[1:2].isupper() or label.startswith("Swiss")
    return label if named else label[:1].lower() + label[1:]


def _from_tables(
    facts: EventFacts, stage: StageFacts, begun: Iterable[StageFacts]
) -> Iterator[tuple[PlayerId, str]]:
    """Yield who left while the stage was played, and once it is closed where the others stood."""
    alike = Counter(group.name for each in begun for group in each.groups)
    last = facts.plan is not None and stage.stage.number == len(facts.plan.stages)
    out = {player for level in facts.ranking for player in level}
    for group, standings in stage.outcome.standings.items():
        label = lowered(group_label(stage.plan, group))
        if len(stage.plan.groups) > 1 and alike[group] > 1:
            label = f"{lowered(translate(stage.plan.label))}, {label}"
        shared = shared_ranks(standings)
        for row in standings.rows:
            rank = rank_ordinal(row.rank, shared=row.rank in shared)
            entry = facts.entries[row.player]
            if entry.departure == Departure.NO_SHOW:
                yield row.player, _("did not show up")
            elif entry.status in LEAVERS:
                yield row.player, _leaving(stage, row.player, entry.status)
            elif stage.stage.state == Stage.State.CLOSED and not last and row.player in out:
                alone = stage.kind.pairs_by_points and len(stage.plan.groups) == 1
                yield row.player, label if alone else f"{label}, {rank}"


def _leaving(stage: StageFacts, player: PlayerId, status: str) -> str:
    out = status == Entry.Status.DISQUALIFIED
    if out and (during := _round_of_disqualification(stage, player)):
        return _("disqualified in round %(round)s") % {"round": during}
    played, conceded = _last_rounds(stage, player)
    if not out and conceded > played:
        return _("drops in round %(round)s") % {"round": conceded}
    if not played:
        return _("disqualified") if out else _("drops before playing")
    words = _("disqualified after round %(round)s") if out else _("drops after round %(round)s")
    return words % {"round": played}


def _last_rounds(stage: StageFacts, player: PlayerId) -> tuple[int, int]:
    """Return the last round that a player played to its end and the last conceded, 0 for none."""
    played = conceded = 0
    for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        for _pairing, result in made:
            if player not in result.seats or not result.is_played:
                continue
            won = winner_of(result) == player
            if result.ended_by in PLAYED or (result.ended_by is EndedBy.CONCESSION and won):
                played = item.ordinal
            elif result.ended_by is EndedBy.CONCESSION:
                conceded = item.ordinal
    return played, conceded


def _round_of_disqualification(stage: StageFacts, player: PlayerId) -> int | None:
    """Return the round in which a player's match ended by disqualification, None if none did."""
    for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        for _pairing, result in made:
            lost = player in result.seats and player != winner_of(result)
            if lost and result.ended_by is EndedBy.DISQUALIFICATION:
                return item.ordinal
    return None


def _from_cut(stage: StageFacts) -> Iterator[tuple[PlayerId, str]]:
    """Yield the step of a cut by tables in which each went out, and who won the final."""
    steps = [
        (item, {player for pairing, _result in made for player in pairing.seats})
        for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True)
    ]
    for (item, players), (_following, going_on) in pairwise(steps):
        yield from dict.fromkeys(players - going_on, lowered(round_label(stage, item))).items()
    if stage.rounds_done and not stage.missing:
        _item, players = steps[-1]
        first, *_others = stage.kind.own_order(stage.state) or (None,)
        for player in players:
            yield player, _("wins the final") if player == first else _("loses the final")


def _from_bracket(stage: StageFacts, names: dict[PlayerId, str]) -> Iterator[tuple[PlayerId, str]]:
    shape = {match.number: match for match in shape_of(stage.plan)}
    for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        rows = {match.number: match for match in stage.matches_of(item)}
        for pairing, result in made:
            winner, loser = winner_of(result), loser_of(result)
            match = shape[pairing.number]
            if len(result.seats) == 1 or loser is None or winner is None:
                continue
            if first := _first_place(stage, match):
                yield winner, _match_and_score(first, _figures(result, winner), won=True)
                yield loser, _match_and_score(first, _figures(result, loser), won=False)
                continue
            values = {
                "round": lowered(round_of_match(stage, item, rows[pairing.number])),
                "score": _figures(result, loser),
                "name": names[winner],
            }
            words = _("%(round)s, %(score)s against %(name)s")
            if not values["score"]:
                words = _("%(round)s, against %(name)s")
            if result.ended_by is EndedBy.DISQUALIFICATION:
                words = _("%(round)s, disqualified")
            yield loser, words % values
            if match.part is None:
                yield winner, ""


def _first_place(stage: StageFacts, match: BracketMatch) -> int:
    """Return the better of the two places that a match decides on, 0 where it decides on none."""
    if match.third_place:
        return stage.plan.ranks_from + 2
    last = match.distance == 0 and stage.plan.survivors == 1
    decides = match.part in (Part.FINAL, Part.AGAIN) if match.part else last
    return stage.plan.ranks_from if decides else 0


def _match_and_score(first: int, score: str, *, won: bool) -> str:
    if first == 1:
        words = _("wins the final") if won else _("loses the final")
        return f"{words} {score}".strip()
    words = _("%(place)s place") % {"place": ordinal(first if won else first + 1)}
    return f"{words}, {score}" if score else words


def _figures(result: Result, player: PlayerId) -> str:
    """Return the games or the score of a match, the player's own first; "" without."""
    pair = (result.games_won or result.score or ())[:2]
    return "–".join(map(str, pair if result.seats[0] == player else pair[::-1]))
