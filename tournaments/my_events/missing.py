"""What an event to come still lacks, line by line, each with its one act."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from config.ui_dates import in_words
from rules.errors import RuleError
from rules.formulas.adviser import matches_by_round
from rules.formulas.forecast import moment_until
from tournaments.core.formulas import plan_for
from tournaments.core.labels import clock_words
from tournaments.decklists.selectors.rules import is_legal, rules_of_event
from tournaments.events.selectors.events import EventCard, wrong_size
from tournaments.events.selectors.timetable import planned_end
from tournaments.models import Entry, Event, StaffRole
from tournaments.players.selectors.answers import is_closed_by_time, is_to_open


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A fact about an event, and its act: a link or, ``post``, a form that opens registration."""

    words: str
    ok: bool = True
    label: str = ""
    url: str = ""
    post: bool = False


Faults = tuple[int, int]
"""How many decklists are missing, and how many are illegal."""


def lines_of(
    card: EventCard, staff: Sequence[StaffRole], faults: Faults, user: User
) -> Iterator[Line]:
    """Yield registration, players, decklists, staff and end of an event before its start.

    At most one query, for a saved formula. ``card`` has the number of players.
    """
    yield _registration(card.event)
    if short := wrong_size(card.event, card.players):
        url = reverse("tournaments:manage-players", args=[card.event.slug]) + "?next=add"
        yield Line(words=short, ok=False, label=_("Add players"), url=url)
    if card.event.decklists != Event.Decklists.OFF and card.players:
        yield _decklists(card.event, *faults)
    yield _staff(card.event, staff, user)
    yield from _end(card.event, card.players)


def _registration(event: Event) -> Line:
    if is_to_open(event) and event.registration_opens:
        local = event.registration_opens.astimezone(event.zone)
        return Line(words=_("Registration opens: %(moment)s") % {"moment": in_words(local, "all")})
    if is_closed_by_time(event):
        return Line(words=_("Registration closed"))
    if event.state == Event.State.CLOSED:
        url = reverse("tournaments:manage-move", args=[event.slug])
        return Line(
            words=_("Registration closed"), label=_("Open registration"), url=url, post=True
        )
    if event.registration_closes is None:
        return Line(words=_("Registration open until you start"))
    local = event.registration_closes.astimezone(event.zone)
    return Line(words=_("Registration open until %(moment)s") % {"moment": in_words(local, "all")})


def _decklists(event: Event, missing: int, illegal: int) -> Line:
    if not missing and not illegal:
        return Line(words=_("All decklists submitted"))
    words = _("Decklists missing: %(missing)s, with errors: %(illegal)s")
    if not illegal:
        words = _("Decklists missing: %(missing)s")
    elif not missing:
        words = _("Decklists with errors: %(illegal)s")
    return Line(
        words=words % {"missing": missing, "illegal": illegal},
        ok=False,
        label=_("Write to %(count)s") % {"count": missing + illegal},
        url=reverse("tournaments:manage-decklists", args=[event.slug]),
    )


def _staff(event: Event, staff: Sequence[StaffRole], user: User) -> Line:
    others = ", ".join(dict.fromkeys(str(one.user) for one in staff if one.user_id != user.pk))
    if others:
        return Line(words=_("Staff: %(names)s") % {"names": others})
    url = reverse("tournaments:manage-staff", args=[event.slug])
    return Line(words=_("Staff: only you"), label=_("Invite"), url=url)


def _end(event: Event, players: int) -> Iterator[Line]:
    """Yield rounds and end as planned for the players so far, if these can be paired."""
    try:
        plan = plan_for(event, players) if players else None
    except RuleError:
        plan = None
    if plan is None:
        return
    rounds = sum(len(matches_by_round(stage)) for stage in plan.stages)
    start, zone = event.starts_at, event.zone
    ends = planned_end(event, plan, start)
    late = event.ends_by is not None and ends > moment_until(start, event.ends_by, zone)
    overnight = ends.astimezone(zone).date() != start.astimezone(zone).date()
    words = ngettext(
        "%(count)s round: ends around %(time)s", "%(count)s rounds: ends around %(time)s", rounds
    ) % {"count": rounds, "time": clock_words(ends, start, zone)}
    if late or overnight:
        url = reverse("tournaments:manage-settings", args=[event.slug])
        yield Line(words=words, ok=False, label=_("Change"), url=url)
    else:
        yield Line(words=words)


def decklists_to_mend(events: Iterable[Event]) -> Mapping[int, Faults]:
    """Return how many decklists each event lacks and how many are illegal, by key.

    One query, and those of ``rules_of_event`` for each event with decklists.
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
        rules = rules_of_event(asked[key]) if handed_in else None
        illegal = sum(rules is not None and not is_legal(rules, deck) for deck in handed_in)
        found[key] = missing, illegal
    return found
