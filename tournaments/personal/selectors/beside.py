"""What stands beside the matches on players' own pages, read for all players at once."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q

from rules.results import PlayerId
from tournaments.core.acts import REDONE, UNDONE
from tournaments.core.event_state import EventFacts, cached_value
from tournaments.corrections.acts import (
    FOLLOWED,
    PLAYER_TAKEN_BACK,
    REPLACED,
    SEEDS_CORRECTED,
    SEEDS_TAKEN_BACK,
    TAKEN_BACK,
)
from tournaments.models import DeckSubmission, Event, JudgeCall, Penalty, PersonalLink, Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCorrection:
    """A correction in the log, or its undo, that gave seats of a stage to other players.

    ``stage`` is the stage's key; ``seats`` are {"out", "in"} player numbers; ``matches`` are
    (round, match number). ``taken_out`` is the number of a player removed from the event, 0 for
    none; ``deleted_rounds`` are numbers of deleted rounds. ``undoes``: it is an undo.
    """

    at: datetime
    reason: str
    stage: str
    seats: tuple[Mapping[str, Any], ...]
    matches: frozenset[tuple[int, int]]
    taken_out: int
    deleted_rounds: tuple[int, ...]
    undoes: bool = False

    def seat_left(self, player: PlayerId) -> Mapping[str, Any] | None:
        """Return the seat that a player left, None for whoever left none."""
        return next((each for each in self.seats if each["out"] == player), None)

    def came_for(self, player: PlayerId) -> PlayerId | None:
        """Return who got into the stage for a player who left a seat; None for nobody.

        Players who only moved to another seat are passed over.
        """
        seats = {each["out"]: each["in"] for each in self.seats}
        found = seats.get(player)
        for _seat in seats:
            found = found if found is None else seats.get(found, found)
        return found

    def undone(self, at: datetime) -> "LoggedCorrection":
        """Return what undoing it decided: the seats and matches are again whose they were."""
        seats = tuple({**each, "out": each["in"], "in": each["out"]} for each in self.seats)
        return replace(
            self, at=at, reason="", seats=seats, taken_out=0, deleted_rounds=(), undoes=True
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPageData:
    """Data for players' own pages beyond the facts, by primary key of entry or match.

    ``legal``: whether an entry's decklist is legal. ``links``: (key, when revoked) of the latest
    personal link; ``link_by_organiser``: entries whose latest link an organiser made or revoked.
    ``decided``: corrections, oldest first.
    """

    penalties: Mapping[int, tuple[Penalty, ...]]
    calls: Mapping[int, JudgeCall]
    rulings: Mapping[int, tuple[Ruling, ...]]
    legal: Mapping[int, bool]
    links: Mapping[int, tuple[int, datetime | None]]
    link_by_organiser: frozenset[int]
    decided: tuple[LoggedCorrection, ...]


TAKES_OUT = (REPLACED.key, PLAYER_TAKEN_BACK.key)
CORRECTIONS = (
    *(FOLLOWED.key, SEEDS_CORRECTED.key, *TAKES_OUT),
    *(TAKEN_BACK.key, SEEDS_TAKEN_BACK.key),
)
BY_STAFF = Q(revoked_at__isnull=False) | Q(by__isnull=False) | ~Q(by_name="")


def own_page_data(facts: EventFacts) -> OwnPageData:
    """Return the data for all players' own pages; seven queries, cached with the facts."""
    return cached_value(facts, "beside", lambda: _read(facts.event))


def _read(event: Event) -> OwnPageData:
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
    return OwnPageData(
        penalties={key: tuple(found) for key, found in penalties.items()},
        calls={call.match_id: call for call in calls.select_related("entry", "taken_by")},
        rulings={key: tuple(found) for key, found in rulings.items()},
        legal=submitted,
        links={key: (pk, at) for key, pk, at in links.values_list("entry", "pk", "revoked_at")},
        link_by_organiser=frozenset(links.filter(BY_STAFF).values_list("entry", flat=True)),
        decided=_decided(event),
    )


def _decided(event: Event) -> tuple[LoggedCorrection, ...]:
    """Return the decisions in force; what is done again was decided when it was done again."""
    lines = event.log.filter(action__in=(*CORRECTIONS, UNDONE.key, REDONE.key)).order_by("number")
    found: dict[int, LoggedCorrection] = {}
    undone: dict[int, LoggedCorrection] = {}
    for number, at, action, before, after, reason in lines.values_list(
        "number", "at", "action", "before", "after", "reason"
    ):
        if action == UNDONE.key:
            if (gone := found.pop(after["line"], None)) is not None:
                undone[number], found[number] = gone, gone.undone(at)
        elif action == REDONE.key:
            if (back := undone.pop(after["undone"], None)) is not None:
                del found[after["undone"]]
                found[number] = replace(back, at=at)
        else:
            found[number] = LoggedCorrection(
                at=at,
                reason=reason,
                stage=after.get("stage") or after.get("open") or "",
                seats=tuple(after.get("seats", ())),
                matches=frozenset((m["round"], m["match"]) for m in after.get("matches", ())),
                taken_out=after["number"] if action in TAKES_OUT else 0,
                deleted_rounds=tuple(sorted(before.get("rounds", ()))),
            )
    return tuple(found.values())
