"""The content of a player's public page in an event, and of a person's page across events."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from decks.labels import find_format_emblem
from rules.results import PlayerId
from rules.standings.table import ResultMark
from tournaments.core.draw_origins import map_readable_rows, readable_rows
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.facts_cache import read_facts
from tournaments.core.labels import (
    format_record,
    group_label,
    rank_ordinal,
    stage_and_round_label,
    standing_rank_text,
)
from tournaments.core.permissions import Actor
from tournaments.core.replays import upcoming_opponents
from tournaments.core.visibility import visible_decklists
from tournaments.models import Entry, Event
from tournaments.personal.selectors.ended import has_seat_in, match_lines, player_path
from tournaments.prizes.selectors import describe_prizes_won
from tournaments.prospects.selectors import own_prospect
from tournaments.standings.selectors.proofs import format_value as figure
from tournaments.standings.selectors.ranking import ranking_page, record_beside_points
from tournaments.standings.selectors.rows import (
    columns,
    latest_standing,
    latest_standing_as_of_text,
)

Figure = tuple[str, str]
"""A number with what it is."""


def player_page_context(facts: EventFacts, number: PlayerId) -> dict[str, Any] | None:
    """Return the template context of a player's public page in an event.

    None if unknown. ``matches`` has the latest first. ``facts`` must be loaded without drafts. No
    query.
    """
    entry = facts.entries.get(number)
    if entry is None:
        return None
    lines = match_lines(facts, entry)
    marks = tuple(line.mark for line in lines if line.mark is not None)
    brackets = (stage for stage in facts.stages if stage.kind.has_bracket)
    return {
        "entry": entry,
        "gone": "" if entry.plays else entry.get_status_display(),
        "figures": tuple(_figures(facts, number)) if facts.plan else (),
        "prize": describe_prizes_won(facts, number),
        "road": tuple(player_path(facts, number)),
        "matches": lines[::-1],
        "coming": upcoming_opponents(facts, number) if entry.plays else (),
        "marks": marks,
        "prospect": own_prospect(facts, entry),
        "bracket": any(has_seat_in(stage, number) for stage in brackets),
    }


def _figures(facts: EventFacts, number: PlayerId) -> Iterator[Figure]:
    final = next((row for row in ranking_page(facts).rows if row.entry.number == number), None)
    if final is not None:
        label = _("Rank out of %(players)s") % {"players": facts.plan.players if facts.plan else 0}
        yield rank_ordinal(final.rank, final.last, shared=final.shared), label
    told = latest_standing(facts, number)
    if told is not None:
        where = stage_and_round_label(
            group_label(told.stage.plan, told.group), latest_standing_as_of_text(told)
        )
        if final is None:
            yield standing_rank_text(told.row, told.standings), where
        for column, key in zip(columns(facts)[:1], told.row.values, strict=False):
            yield figure(told.row.values[key], key), f"{column.label}, {where}"
    record, moment = record_beside_points(facts, number)
    yield format_record(record), ", ".join(filter(None, (_("Wins – losses – draws"), moment)))


A_PAGE = 10
A_WEEK = 7 * 24 * 3600
Summary = tuple[str, tuple[Figure, ...], tuple[str, ...]]
"""Why the player left, the figures, and the marks: what is kept of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicProfile:
    """A person's public page across events.

    ``played`` has a dict of template values for each event on this page, ``page`` their entries,
    latest first.
    """

    name: str
    played: tuple[dict[str, Any], ...]
    page: Page[Entry]


def public_profile_key(event: Event, number: PlayerId) -> str:
    """Return the key of the public page of a player's account, "" for none; one query."""
    shown = Entry.objects.filter(event=event, number=number, user__is_active=True)
    return shown.values_list("user__person_key", flat=True).first() or ""


def load_public_profile(key: str, page: str | int = 1) -> PublicProfile | None:
    """Return a person's public page across events by its key, None if unknown.

    It lists the account's entries in listed events. Three queries, one for each event with public
    decklists, and those of ``read_facts`` for each (cached for finished events).
    """
    user = User.objects.filter(person_key=key, is_active=True).first()
    if user is None:
        return None
    entries = Entry.objects.filter(user=user, event__in=Event.objects.listed())
    entries = entries.select_related("event").order_by("-event__starts_at", "-pk")
    part = Paginator(readable_rows(entries), A_PAGE).get_page(page)
    return PublicProfile(
        name=str(user), played=tuple(map_readable_rows(part, _played_event)), page=part
    )


def _played_event(entry: Entry) -> dict[str, Any]:
    """A person in one event: ``place`` and ``record`` are None before the start.

    ``listed``: their decklist may be read by everybody.
    """
    event = entry.event
    gone, figures, marks = _summary(event, entry.number)
    return {
        "event": event,
        "begins": event.begins,
        "look": find_format_emblem(event.format_key),
        "number": entry.number,
        "gone": gone,
        "place": figures[0] if len(figures) > 1 else None,
        "record": figures[-1] if figures else None,
        "marks": tuple(map(ResultMark, marks)),
        "listed": bool(entry.submission_id) and visible_decklists(Actor(), event).reads(entry),
    }


def _summary(event: Event, number: PlayerId) -> Summary:
    """Return the summary of a player's public page in the active language."""
    if event.state != Event.State.FINISHED:
        return _of_page(read_facts(event), number)
    key = f"person2:{event.pk}:{event.head}:{number}:{get_language()}"
    known: Summary | None = cache.get(key)
    if known is None:
        known = _of_page(load_facts(event, for_staff=False), number)
        cache.set(key, known, A_WEEK)
    return known


def _of_page(facts: EventFacts, number: PlayerId) -> Summary:
    shown = player_page_context(facts, number)
    if shown is None:
        return "", (), ()
    return shown["gone"], shown["figures"], tuple(mark.value for mark in shown["marks"])
