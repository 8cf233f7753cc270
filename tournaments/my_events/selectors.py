"""The events of a user: running ones with their tables, coming ones with what they lack."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from config.wording import format_moment
from rules.errors import RuleError
from rules.formulas.adviser import matches_by_round
from rules.formulas.forecast import next_time_of_day
from tournaments.core.draw_origins import map_readable_rows, readable_rows
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.formulas import build_plan
from tournaments.core.labels import duration_text, time_and_day_text
from tournaments.core.permissions import Actor
from tournaments.core.replays import matches_in_play
from tournaments.decklists.selectors.rules import event_deck_rules, is_legal
from tournaments.events.selectors.events import A_PAGE, EventCard, size_warning
from tournaments.events.selectors.timetable import Timetable, event_timetable, planned_end
from tournaments.models import Entry, Event, Match, StaffRole
from tournaments.public.selectors.listed import ListedEvent, renderable_rows
from tournaments.repeats.selectors import event_to_repeat, repeatable_event_keys


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparationFact:
    """A fact about a coming event, for its organiser, with a link or button.

    ``ok``: False if it needs attention. ``label``: text of the link to ``url``; with ``post`` a
    button that posts to ``url``.
    """

    words: str
    ok: bool = True
    label: str = ""
    url: str = ""
    post: bool = False


Faults = tuple[int, int]
"""How many decklists are missing, and how many are illegal."""


def preparation_facts(
    card: EventCard, staff: Sequence[StaffRole], faults: Faults, user: User
) -> Iterator[PreparationFact]:
    """Yield facts on registration, players, decklists, staff and end of a coming event.

    ``card`` has the number of players; ``faults``: (missing, illegal) decklists. At most one query,
    for a saved tournament format.
    """
    yield _registration(card.event)
    if short := size_warning(card.event, card.players):
        url = reverse("tournaments:manage-players", args=[card.event.slug]) + "?next=add"
        yield PreparationFact(words=short, ok=False, label=_("Add players"), url=url)
    if card.event.decklists != Event.Decklists.OFF and card.players:
        yield _decklists(card.event, *faults)
    yield _staff(card.event, staff, user)
    yield from _end(card.event, card.players)


def _registration(event: Event) -> PreparationFact:
    if event.registration_opens_later and event.registration_opens:
        local = event.registration_opens.astimezone(event.zone)
        return PreparationFact(
            words=" ".join((_("Registration opens:"), format_moment(local, "all")))
        )
    if event.is_past_registration_close:
        return PreparationFact(words=_("Registration closed"))
    if event.state == Event.State.CLOSED:
        url = reverse("tournaments:manage-move", args=[event.slug])
        return PreparationFact(
            words=_("Registration closed"), label=_("Open registration"), url=url, post=True
        )
    if event.registration_closes is None:
        return PreparationFact(words=_("Registration open"))
    local = event.registration_closes.astimezone(event.zone)
    return PreparationFact(
        words=_("Registration open until %(moment)s") % {"moment": format_moment(local, "all")}
    )


def _decklists(event: Event, missing: int, illegal: int) -> PreparationFact:
    if not missing and not illegal:
        return PreparationFact(words=_("All decklists submitted"))
    words = []
    if missing:
        words.append(_("Decklists missing: %(number)s") % {"number": missing})
    if illegal:
        words.append(_("Decklists with errors: %(illegal)s") % {"illegal": illegal})
    return PreparationFact(
        words=" · ".join(words),
        ok=False,
        label=_("Remind players (%(count)s)") % {"count": missing + illegal},
        url=reverse("tournaments:manage-decklists", args=[event.slug]),
    )


def _staff(event: Event, staff: Sequence[StaffRole], user: User) -> PreparationFact:
    others = ", ".join(dict.fromkeys(str(one.user) for one in staff if one.user_id != user.pk))
    if others:
        return PreparationFact(words=_("Staff: %(names)s") % {"names": others})
    url = reverse("tournaments:manage-staff", args=[event.slug])
    return PreparationFact(words=_("Staff: only you"), label=_("Invite"), url=url)


def _end(event: Event, players: int) -> Iterator[PreparationFact]:
    """Yield rounds and end as planned for the players so far, if these can be paired."""
    try:
        plan = build_plan(event, players) if players else None
    except RuleError:
        plan = None
    if plan is None:
        return
    rounds = sum(len(matches_by_round(stage)) for stage in plan.stages)
    start, zone = event.starts_at, event.zone
    ends = planned_end(event, plan, start)
    late = event.ends_by is not None and ends > next_time_of_day(start, event.ends_by, zone)
    overnight = ends.astimezone(zone).date() != start.astimezone(zone).date()
    end = _("Ends around %(end)s") % {"end": time_and_day_text(ends, start, zone)}
    words = " · ".join((": ".join((_("Rounds"), str(rounds))), end))
    if late or overnight:
        url = reverse("tournaments:manage-settings", args=[event.slug])
        yield PreparationFact(words=words, ok=False, label=_("Change"), url=url)
    else:
        yield PreparationFact(words=words)


def decklist_fault_counts(events: Iterable[Event]) -> Mapping[int, Faults]:
    """Return {event key: (number of missing decklists, number of illegal ones)}.

    Decklists are missing only where they are required. One query, and those of ``event_deck_rules``
    for each event with decklists.
    """
    asked = {event.pk: event for event in events if event.decklists != Event.Decklists.OFF}
    found = defaultdict[int, Faults](lambda: (0, 0))
    if not asked:
        return found
    entries = defaultdict[int, list[Entry]](list)
    players = Entry.objects.filter(event__in=asked).playing().select_related("submission__decklist")
    for entry in players:
        entries[entry.event_id].append(entry)
    for key, playing in entries.items():
        handed_in = [one.submission.decklist for one in playing if one.submission is not None]
        required = asked[key].decklists == Event.Decklists.REQUIRED
        missing = len(playing) - len(handed_in) if required else 0
        rules = event_deck_rules(asked[key]) if handed_in else None
        illegal = sum(rules is not None and not is_legal(rules, deck) for deck in handed_in)
        found[key] = missing, illegal
    return found


MANY = 32
"""Least number of tables of which only the unfinished ones are shown."""
BEHIND = timedelta(minutes=5)
"""How late an event is before it is said."""
STATES: Mapping[str, str] = {
    Match.State.FINAL: "final",
    Match.State.DISPUTED: "disputed",
    Match.State.REPORTED: "reported",
}
Role, State = StaffRole.Role, Event.State


@dataclass(frozen=True, slots=True, kw_only=True)
class TimetablePart:
    """A round or break in the timetable bar of a running event.

    ``short``: short label; ``place``: "done", "now" or "later".
    """

    label: str
    short: str
    place: str
    is_break: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningEvent:
    """A running event with the progress of its round, for its staff.

    ``roles``: of the user. ``tables``: (number, state); of ``MANY`` and more only those without a
    final result. ``done``, ``all``, ``disputed`` and ``reported``: numbers of tables. ``bar``: its
    timetable; ``behind``: text, its delay.
    """

    listed: ListedEvent
    roles: frozenset[str]
    tables: tuple[tuple[int, str], ...]
    done: int
    all: int
    disputed: int
    reported: int
    byes: int
    timetable: Timetable | None
    bar: tuple[TimetablePart, ...]
    behind: str

    @property
    def judges(self) -> bool:
        """Return whether the user's first page of the event is that of the judges."""
        return not self.roles & {Role.ORGANISER, Role.SCOREKEEPER}


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingEvent:
    """A staffed event before its start, with facts on its preparation.

    ``manages``: the user is an organiser; ``days``: until the start.
    """

    listed: ListedEvent
    manages: bool
    days: int
    lines: tuple[PreparationFact, ...]


def my_events_context(
    user: User, playing: str | int = 1, working: str | int = 1, going: str | int = 1
) -> dict[str, Any]:
    """Return the template context of the page of a user's events.

    ``playing``, ``working`` and ``going``: page numbers of the events played in, of finished
    staffed events and of other staffed events.

    Keys: ``again``: the event to repeat; ``to_repeat``: keys of others that were not repeated;
    ``damaged``: (slug, name) of events with data that can't be shown. Queries grow only with
    running events whose facts are not cached, and with those that check decklists.
    """
    entries = Entry.objects.filter(user=user).exclude(event__state=State.DRAFT)
    entries = entries.select_related("event").order_by("-event__starts_at", "-pk")
    entries_page = Paginator(readable_rows(entries), A_PAGE).get_page(playing)
    staffed, over = Event.objects.of_staff(user), Q(state=State.FINISHED)
    running_first = staffed.exclude(over).annotate(running=Q(state=State.RUNNING))
    to_go = readable_rows(running_first.order_by("-running", "starts_at", "pk"))
    gone = readable_rows(staffed.filter(over).order_by("-starts_at", "-pk"))
    going_page = Paginator(to_go, A_PAGE).get_page(going)
    past_page = Paginator(gone, A_PAGE).get_page(working)
    rows = renderable_rows([*going_page, *past_page])
    staff = staff_by_event(rows)
    by_state = defaultdict[str, list[ListedEvent]](list)
    for row in rows:
        by_state[row.card.event.state].append(row)
    running, coming = staffed_events(rows, staff, user)
    drafts, past = by_state[State.DRAFT], by_state[State.FINISHED]
    drawn_as = (*(one.listed for one in running), *(one.listed for one in coming), *drafts, *past)
    shown = {row.card.event.pk for row in drawn_as}
    actor = Actor(user=user)
    again = event_to_repeat(actor)
    return {
        "entries": tuple(map_readable_rows(entries_page, _with_beginning)),
        "entries_page": entries_page,
        "running": running,
        "coming": coming,
        "going_page": going_page,
        "drafts": [(row, Role.ORGANISER in _roles(user, staff, row)) for row in drafts],
        "past": past,
        "past_page": past_page,
        "again": again,
        "again_day": format_moment(again.begins, "month") if again else "",
        "to_repeat": repeatable_event_keys(actor, [row.card.event for row in rows])
        - {again and again.pk},
        "damaged": (*_damaged_events(going_page, shown), *_damaged_events(past_page, shown)),
        "is_empty": not any(page.paginator.count for page in (entries_page, going_page, past_page)),
    }


def _with_beginning(entry: Entry) -> Entry:
    _begins: Any = entry.event.begins
    return entry


Staff = Mapping[int, Sequence[StaffRole]]
"""The staff of events by key of the event."""


def staff_by_event(rows: Iterable[ListedEvent]) -> Staff:
    """Return {event key: staff roles} of listed events; one query."""
    found = StaffRole.objects.filter(event__in=[row.card.event.pk for row in rows])
    by_event = defaultdict[int, list[StaffRole]](list)
    for one in found.select_related("user").order_by("event_id", "pk"):
        by_event[one.event_id].append(one)
    return by_event


def _roles(user: User, staff: Staff, row: ListedEvent) -> frozenset[str]:
    found = staff.get(row.card.event.pk, ())
    return frozenset(one.role for one in found if one.user_id == user.pk)


def staffed_events(
    rows: Sequence[ListedEvent], staff: Staff, user: User
) -> tuple[list[RunningEvent], list[UpcomingEvent]]:
    """Return (running events, coming events) in which the user is staff.

    ``staff``: from ``staff_of``. The queries are those of decklists, and of facts that are not
    cached.
    """
    own = {row.card.event.pk: row for row in rows if _roles(user, staff, row)}
    running = [row.card for row in own.values() if row.card.event.state == State.RUNNING]
    before = (State.REGISTRATION, State.CLOSED)
    to_come = [row.card for row in own.values() if row.card.event.state in before]
    faults = decklist_fault_counts([card.event for card in to_come])

    def coming(card: EventCard) -> UpcomingEvent:
        event = card.event
        return UpcomingEvent(
            listed=own[event.pk],
            manages=Role.ORGANISER in _roles(user, staff, own[event.pk]),
            days=(card.local.date() - timezone.localtime(timezone=event.zone).date()).days,
            lines=tuple(preparation_facts(card, staff[event.pk], faults[event.pk], user)),
        )

    return (
        map_readable_rows(
            running,
            lambda card: _running(own[card.event.pk], _roles(user, staff, own[card.event.pk])),
        ),
        map_readable_rows(to_come, coming),
    )


def _damaged_events(page: Page[Event], shown: set[int]) -> tuple[tuple[str, str], ...]:
    """Return the events of a page that are not among those shown; no query where all are."""
    first = max(page.start_index(), 1) - 1
    found: Any = page.paginator.object_list
    if sum(event.pk in shown for event in page) == page.end_index() - first:
        return ()
    named = found[first : page.end_index()].values_list("pk", "slug", "name")
    return tuple((slug, name) for pk, slug, name in named if pk not in shown)


def _running(listed: ListedEvent, roles: frozenset[str]) -> RunningEvent:
    """Return a running event as its round stands; no query besides those of its facts."""
    facts = read_facts(listed.card.event)
    found = facts.latest_published
    playing = matches_in_play(found[0]) if found else ()
    states = sorted(
        (each.table, STATES.get(each.match.state, "open"))
        for each in playing
        if each.table is not None
    )
    counts = Counter(state for _table, state in states)
    times = event_timetable(facts, facts.plan)
    return RunningEvent(
        listed=listed,
        roles=roles,
        tables=tuple(each for each in states if len(states) < MANY or each[1] != "final"),
        done=counts["final"],
        all=len(states),
        disputed=counts["disputed"],
        reported=counts["reported"],
        byes=sum(len(each.match.seats) == 1 for each in playing),
        timetable=times,
        bar=_bar_of(times),
        behind=_behind(facts, times),
    )


def _bar_of(times: Timetable | None) -> tuple[TimetablePart, ...]:
    rows = times.rows if times else ()
    now = max(
        (at for at, row in enumerate(rows) if row["real"] and not row["is_break"]), default=-1
    )
    return tuple(
        TimetablePart(
            label=row["label"],
            short=row["short"],
            place="done"
            if at < now or (times and times.played)
            else "now"
            if at == now
            else "later",
            is_break=row["is_break"],
        )
        for at, row in enumerate(rows)
    )


def _behind(facts: EventFacts, times: Timetable | None) -> str:
    """Return how much later than planned an event is, in words, "" where it hardly is."""
    if times is None or facts.plan is None or times.played:
        return ""
    late = times.ends - planned_end(facts.event, facts.plan, times.starts)
    return duration_text(late // timedelta(minutes=1)) if late >= BEHIND else ""
