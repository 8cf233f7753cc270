"""What stands beside the matches on players' own pages, read for all players at once."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tournaments.core.event_state import EventFacts
from tournaments.core.values_cache import cached
from tournaments.models import DeckSubmission, Event, JudgeCall, Penalty, PersonalLink, Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Data of all players' own pages that the facts lack, by primary key of entry or match.

    ``legal`` says whether an entry's list is legal, without entries that have no list. ``links``
    are (key, moment of revocation) of the latest personal links, ``link_by_organiser`` the entries
    whose latest link an organiser made or revoked.
    """

    penalties: Mapping[int, tuple[Penalty, ...]]
    calls: Mapping[int, JudgeCall]
    rulings: Mapping[int, tuple[Ruling, ...]]
    legal: Mapping[int, bool]
    links: Mapping[int, tuple[int, datetime | None]]
    link_by_organiser: frozenset[int]


BY_STAFF = Q(revoked_at__isnull=False) | Q(by__isnull=False) | ~Q(by_name="")


def beside(facts: EventFacts) -> Beside:
    """Return this data of an event; six queries, none if it was read for the same facts."""
    return cached(facts, "beside", lambda: _read(facts.event))


def _read(event: Event) -> Beside:
    penalties: dict[int, list[Penalty]] = defaultdict(list)
    for penalty in event.penalties.select_related("round").defer("note").order_by("-pk"):
        penalties[penalty.entry_id].append(penalty)
    calls = JudgeCall.objects.filter(match__round__event=event, closed_at__isnull=True)
    rulings: dict[int, list[Ruling]] = defaultdict(list)
    for ruling in Ruling.objects.filter(match__round__event=event).order_by("pk"):
        rulings[ruling.match_id].append(ruling)
    submitted: dict[int, bool] = {}
    if event.decklists != Event.Decklists.OFF:
        current = DeckSubmission.objects.filter(current_of__event=event)
        submitted = dict(current.values_list("entry", "decklist__legal").order_by())
    links = PersonalLink.objects.filter(entry__event=event).order_by("pk")
    return Beside(
        penalties={key: tuple(found) for key, found in penalties.items()},
        calls={call.match_id: call for call in calls.select_related("entry", "taken_by")},
        rulings={key: tuple(found) for key, found in rulings.items()},
        legal=submitted,
        links={key: (pk, at) for key, pk, at in links.values_list("entry", "pk", "revoked_at")},
        link_by_organiser=frozenset(links.filter(BY_STAFF).values_list("entry", flat=True)),
    )
