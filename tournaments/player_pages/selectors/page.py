"""The content of a player's public page."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.results import PlayerId
from rules.standings.recent import Mark
from tournaments.core.event_state import EventFacts
from tournaments.core.labels import group_label
from tournaments.core.round_words import stage_and_round
from tournaments.core.rows import EntryRow
from tournaments.core.told_ranks import rank_among, rank_ordinal
from tournaments.models import Event
from tournaments.personal.selectors.lines import MatchLine, match_lines
from tournaments.personal.selectors.road import Step, road_of, sits_in
from tournaments.prospects.selectors.prospects import OwnProspect, own_prospect
from tournaments.standings.selectors.proofs import number as figure
from tournaments.standings.selectors.ranking import ranking_page
from tournaments.standings.selectors.records import record_beside_points, shown_record
from tournaments.standings.selectors.rows import columns
from tournaments.standings.selectors.told import as_of, told_row

Figure = tuple[str, str]
"""A number with what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPlayer:
    """A player as everybody sees them; ``matches`` has the latest first."""

    entry: EntryRow
    gone: str
    figures: tuple[Figure, ...]
    road: tuple[Step, ...]
    matches: tuple[MatchLine, ...]
    marks: tuple[Mark, ...]
    prospect: OwnProspect | None
    bracket: bool


def page_of(facts: EventFacts, number: PlayerId) -> PublicPlayer | None:
    """Return the page of the player with this number, None if there is none.

    ``facts`` must be loaded without drafts. No query beyond them.
    """
    entry = facts.entries.get(number)
    if entry is None:
        return None
    lines = match_lines(facts, entry)
    marks = tuple(line.mark for line in lines if line.mark is not None)
    brackets = (stage for stage in facts.stages if stage.kind.has_bracket)
    return PublicPlayer(
        entry=entry,
        gone="" if entry.plays else entry.get_status_display(),
        figures=tuple(_figures(facts, number)) if facts.plan else (),
        road=tuple(road_of(facts, number)),
        matches=lines[::-1],
        marks=marks,
        prospect=own_prospect(facts, entry),
        bracket=any(sits_in(stage, number) for stage in brackets),
    )


def _figures(facts: EventFacts, number: PlayerId) -> Iterator[Figure]:
    final = next((row for row in ranking_page(facts).rows if row.entry.number == number), None)
    if final is not None:
        over = facts.event.state == Event.State.FINISHED
        label = _("final rank, of %(players)s") if over else _("rank, of %(players)s")
        players = facts.plan.players if facts.plan else 0
        yield (
            rank_ordinal(final.rank, final.last, shared=final.shared),
            label % {"players": players},
        )
    told = told_row(facts, number)
    if told is not None:
        where = stage_and_round(group_label(told.stage.plan, told.group), as_of(told))
        if final is None:
            yield rank_among(told.row, told.standings), where
        for column, key in zip(columns(facts)[:1], told.row.values, strict=False):
            yield figure(told.row.values[key], key), f"{column.label}, {where}"
    record, moment = record_beside_points(facts, number)
    yield shown_record(record), ", ".join(filter(None, (_("Won – drawn – lost"), moment)))
