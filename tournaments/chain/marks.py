"""The marks of what was written, read as what an event's rows hold now."""

from django.db.models import Q

from tournaments.chain import facts
from tournaments.chain.facts import Told
from tournaments.models import Event, Match, Round, Stage
from tournaments.models.touched import Touched, touched


def told_of(event: Event) -> Told:
    """Return what was written of an event since its last line, and drop its marks.

    A few queries for each kind of row that was written, whatever the size of the event.
    """
    marks, told, key = touched(), Told(), event.pk
    if key in marks.events:
        facts.read_event(told, key)
    if key in marks.penalties:
        facts.read_penalties(told, key)
    if key in marks.apart:
        facts.read_apart(told, key)
    _entries(told, key, marks)
    _stages(told, key, marks)
    _rounds(told, key, marks)
    numbers = _own(marks.draws, key)
    if numbers:
        facts.read_draws(told, Q(event=key, number__in=numbers))
        told.absent(f"draw/{number}" for number in numbers)
    marks.events.discard(key)
    marks.apart.discard(key)
    marks.penalties.discard(key)
    return told


def _own(marks: set[tuple[int, int]], event: int) -> set[int]:
    """Take an event's own out of marks that go by event, and return them."""
    own = {mark for mark in marks if mark[0] == event}
    marks -= own
    return {number for _event, number in own}


def _entries(told: Told, event: int, marks: Touched) -> None:
    numbers = _own(marks.entries, event)
    if numbers:
        facts.read_entries(told, Q(event=event, number__in=numbers))
        told.absent(f"entry/{number}" for number in numbers)


def _stages(told: Told, event: int, marks: Touched) -> None:
    numbers = _own(marks.stages, event)
    if marks.stage_keys:
        found = Stage.objects.filter(pk__in=marks.stage_keys).values_list(
            "pk", "event_id", "number"
        )
        others = {pk for pk, owner, _number in found if owner != event}
        numbers |= {number for _pk, owner, number in found if owner == event}
        marks.stage_keys &= others
    if numbers:
        facts.read_stages(told, Q(event=event, number__in=numbers))
        told.absent(f"stage/{number}" for number in numbers)


def _rounds(told: Told, event: int, marks: Touched) -> None:
    """Tell rounds and matches; what a deleted round held goes with it.

    The matches of a round are told with it: they are closed while it is a draft.
    """
    anew, changed = _own(marks.rounds_anew, event), _own(marks.rounds, event)
    if anew or changed:
        facts.read_rounds(told, Q(event=event, ordinal__in=anew | changed))
        told.absent(f"round/{ordinal}" for ordinal in changed)
    told.gone += sorted(f"round/{ordinal}" for ordinal in anew)
    told.gone = sorted(set(told.gone))
    wanted = Q(round__ordinal__in=anew | changed) if anew or changed else Q()
    if marks.gone:
        wanted |= _taken_away(told, event, marks)
    if marks.matches:
        wanted |= Q(pk__in=marks.matches)
    if wanted:
        marks.matches -= facts.read_matches(told, Q(round__event=event) & wanted)
        elsewhere = Match.objects.filter(pk__in=marks.matches).exclude(round__event=event)
        marks.matches &= set(elsewhere.values_list("pk", flat=True)) if marks.matches else set()
        told.gone = [
            place for place in told.gone if "/match/" not in place or place not in told.rows
        ]


def _taken_away(told: Told, event: int, marks: Touched) -> Q:
    """Tell that matches are gone from rounds that stay; return which numbers to look at again."""
    keys = {key for key, _number in marks.gone}
    found = Round.objects.filter(pk__in=keys).values_list("pk", "event_id", "ordinal")
    owners = {key: (owner, ordinal) for key, owner, ordinal in found}
    wanted = Q(pk__in=[])
    for key, number in sorted(marks.gone):
        owner, ordinal = owners.get(key, (None, 0))
        if owner == event:
            told.gone.append(f"round/{ordinal}/match/{number}")
            wanted |= Q(round=key, number=number)
    marks.gone = {mark for mark in marks.gone if owners.get(mark[0], (event,))[0] != event}
    return wanted
