"""Data of the workbook, loaded at once."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from zoneinfo import ZoneInfo

from config.wording import translate
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.rows import EntryRow
from tournaments.exports.cells import TITLE_SIZE
from tournaments.models import Entry, Event, Report


@dataclass(frozen=True, kw_only=True)
class Source:
    """State, decklists and reports of an event; ``staff``: names of staff are shown."""

    facts: EventFacts
    listed: Mapping[int, Entry]
    reports: Mapping[int, tuple[Report, ...]]
    staff: bool

    @property
    def event(self) -> Event:
        """Return the event."""
        return self.facts.event

    @property
    def zone(self) -> ZoneInfo:
        """Return the zone in which times are shown."""
        return self.event.zone

    @property
    def begun(self) -> tuple[StageFacts, ...]:
        """Return the stages that have groups."""
        return tuple(stage for stage in self.facts.stages if stage.groups)

    @cached_property
    def by_key(self) -> dict[int, EntryRow]:
        """Return the entries by primary key."""
        return {entry.pk: entry for entry in self.facts.entries.values()}

    @cached_property
    def by_user(self) -> dict[int, str]:
        """Return the names of players with an account, by key of the account."""
        return {entry.user_id: entry.name for entry in self.listed.values() if entry.user_id}

    def name(self, number: int | str) -> str:
        """Return the name of a player by number."""
        return self.facts.entries[int(number)].name


def load_source(event: Event, *, staff: bool) -> Source:
    """Load an event for its workbook; nine queries.

    Drafts of rounds are included for staff only.
    """
    facts = load_facts(event, drafts=staff)
    listed = event.entries.select_related("submission__decklist")
    reports: dict[int, list[Report]] = defaultdict(list)
    told = Report.objects.filter(match__round__event=event).select_related("by", "by_entry")
    for report in told.order_by("match_id", "version"):
        reports[report.match_id].append(report)
    return Source(
        facts=facts,
        listed={entry.number: entry for entry in listed},
        reports={key: tuple(value) for key, value in reports.items()},
        staff=staff,
    )


def sheet_name(what: str, stage: StageFacts, group: str) -> str:
    """Return the title of a sheet, from its kind, stage and group.

    If it is too long, the name of the stage is truncated.
    """
    label = translate(stage.plan.label)
    if len(stage.plan.groups) == 1 and group in (item.name for item in stage.groups):
        return f"{what} {label}"
    room = TITLE_SIZE - len(what) - len(group) - 2
    return f"{what} {label[:room].rstrip()} {group}"
