"""The final places still possible in a last stage with a table, from which nobody goes on."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from rules.scenarios.final_places import places_in_table
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label
from tournaments.core.rows import AnyEntry
from tournaments.core.told_ranks import rank_ordinal
from tournaments.core.values_cache import cached
from tournaments.models import Event
from tournaments.prospects.selectors.prospects import MAX_OUTCOMES
from tournaments.prospects.selectors.verdicts import prospects_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRow:
    """A player and the final places that they may still take, as text: "1st", "2nd–4th"."""

    entry: AnyEntry
    places: str
    certain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalPlaces:
    """The only group of the last stage; ``rows`` is empty while there are too many possibilities.

    Nor are there any of several groups, which hang on each other.
    """

    label: str
    rows: tuple[PlaceRow, ...]


def final_places(facts: EventFacts) -> FinalPlaces | None:
    """Return the final places of the open stage if nobody goes on from it, else None; no query.

    ``facts`` must be loaded without drafts. No rows before the first result, and while the
    standings are held back.
    """
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None:
        return None
    if not stage.kind.has_table or stage.used or stage.stage.number < len(facts.stages):
        return None
    rows = cached(stage, "final_places", lambda: tuple(_rows(facts, stage)))
    return FinalPlaces(label=group_label(stage.plan, stage.plan.groups[0].name), rows=rows)


def _rows(facts: EventFacts, stage: StageFacts) -> Iterator[PlaceRow]:
    """Yield the players by place; only of a single group are the places those of the event."""
    played = any(result.counts for made in stage.state.rounds for _pairing, result in made)
    if stage.held or not played or len(stage.plan.groups) > 1:
        return
    places = (
        (player, places_in_table(stage.state, prospect, 0, facts.final_order))
        for player, prospect in prospects_of(stage, MAX_OUTCOMES).items()
    )
    known = {player: left for player, left in places if left is not None}
    for player, left in sorted(known.items(), key=itemgetter(1)):
        yield PlaceRow(
            entry=facts.entries[player],
            places=rank_ordinal(*left[:2], shared=left.shared),
            certain=bool(left.one),
        )
