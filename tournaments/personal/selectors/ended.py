"""What a player's page shows when it is over for them: figures, road, matches, what comes next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext as _

from rules.deckbuilding.looks import Look
from rules.standings.recent import Mark
from tournaments.core.drawing import drawn, readable_rows
from tournaments.core.event_state import EventFacts
from tournaments.core.labels import round_of_match
from tournaments.events.selectors.events import count_players
from tournaments.models import Entry, Event, Match
from tournaments.personal.selectors.lines import MatchLine, match_lines
from tournaments.personal.selectors.own_matches import matches_of
from tournaments.personal.selectors.own_standing import own_standing
from tournaments.personal.selectors.road import Step, closed_road
from tournaments.players.selectors.registration import is_closed_by_time, is_to_open
from tournaments.public.games import look_of
from tournaments.standings.selectors.records import record_beside_points, shown_record

A_MINUTE = 60
READ = 8
"""Events read to find two that take players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A player's event once it is over for them; ``matches`` has the latest first.

    ``figures`` are numbers with what they are. ``fate`` says where whoever beat them in a bracket
    plays now, "" for nobody.
    """

    figures: tuple[tuple[str, str], ...]
    road: tuple[Step, ...]
    matches: tuple[MatchLine, ...]
    fate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextEvent:
    """An event whose registration is open; ``left`` is the number of free places, None for any."""

    slug: str
    name: str
    look: Look
    begins: datetime
    time_zone: str
    left: int | None


def ended_of(facts: EventFacts, entry: Entry) -> Ended:
    """Return a player's event once it is over for them; no query."""
    lines = match_lines(facts, entry)
    return Ended(
        figures=tuple(_figures(facts, entry, lines)),
        road=tuple(closed_road(facts, entry.number)),
        matches=lines[::-1],
        fate=_fate_of_winner(facts, entry),
    )


def _figures(
    facts: EventFacts, entry: Entry, lines: Sequence[MatchLine]
) -> Iterator[tuple[str, str]]:
    moment = ""
    if entry.number in facts.entries:
        record, moment = record_beside_points(facts, entry.number)
        yield shown_record(record), ", ".join(filter(None, (_("Won – drawn – lost"), moment)))
    yield str(sum(bool(line.others) for line in lines)), _("Matches")
    if byes := sum(line.mark is Mark.BYE for line in lines):
        yield str(byes), _("Byes")  # counted as won above
    standing = own_standing(facts, entry)
    if standing is not None and standing.row.values:
        yield standing.row.values[0], f"{standing.first.label}, {standing.table}"


def _fate_of_winner(facts: EventFacts, entry: Entry) -> str:
    """Return where whoever beat the player last plays now, as a sentence; "" for nobody."""
    mine = matches_of(facts, entry)
    if not mine or not mine[-1][0].kind.has_bracket:
        return ""
    rival = next((key for key in mine[-1][1].seats if key != entry.pk), None)
    by_key = {each.pk: each for each in facts.entries.values()}
    if rival is None or rival not in by_key:
        return ""
    theirs = matches_of(facts, by_key[rival])
    if not theirs or theirs[-1][1].state == Match.State.FINAL:
        return ""
    stage, match = theirs[-1]
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    values = {"name": by_key[rival].display_name, "round": round_of_match(stage, item, match)}
    return _("%(name)s now plays: %(round)s.") % values


def next_event(event: Event) -> NextEvent | None:
    """Return the next event here that takes players, None without one.

    Two queries once a minute for all readers: it may be late by as much.
    """
    found: list[NextEvent] | None = cache.get("next-events")
    if found is None:
        found = _coming()
        cache.set("next-events", found, A_MINUTE)
    return next((one for one in found if one.slug != event.slug), None)


def _coming() -> list[NextEvent]:
    """Return the first events that take players and are still to begin."""
    now = timezone.now()
    listed = Event.objects.listed().filter(state=Event.State.REGISTRATION, starts_at__gt=now)
    found = list(readable_rows(listed.order_by("starts_at", "pk")[:READ]))
    count_players(found)
    return [one for one in drawn(found, _next_event) if one is not None][:2]


def _next_event(event: Event) -> NextEvent | None:
    if is_to_open(event) or is_closed_by_time(event):
        return None
    taken: int = event.players  # type: ignore[attr-defined]
    left = None if event.capacity is None else max(0, event.capacity - taken)
    return NextEvent(
        slug=event.slug,
        name=event.name,
        look=look_of(event.format_key),
        begins=event.begins,
        time_zone=event.time_zone,
        left=left,
    )
