"""Payload of the rows written since an event's last log line, from the marks of the ORM.

``models/touched.py`` sets the marks.
"""

from django.db.models import Q

from tournaments.chain import payload as reading
from tournaments.chain.payload import Payload
from tournaments.models import Event, Match, Round, Stage
from tournaments.models.touched import Touched, touched


def written_payload(event: Event) -> Payload:
    """Return the state of the rows written since an event's last line, and clear its marks.

    A few queries for each kind of row that was written, whatever the size of the event.
    """
    marks, payload, key = touched(), Payload(), event.pk
    if key in marks.events:
        reading.read_event(payload, key)
    if key in marks.penalties:
        reading.read_penalties(payload, key)
    if key in marks.apart:
        reading.read_apart(payload, key)
    _add_entries(payload, key, marks)
    _add_stages(payload, key, marks)
    _add_rounds(payload, key, marks)
    numbers = _take_marks_of(marks.draws, key)
    if numbers:
        reading.read_draws(payload, Q(event=key, number__in=numbers))
        payload.absent(f"draw/{number}" for number in numbers)
    marks.events.discard(key)
    marks.apart.discard(key)
    marks.penalties.discard(key)
    return payload


def _take_marks_of(marks: set[tuple[int, int]], event_id: int) -> set[int]:
    """Remove the marks of an event from a set of (event key, number); return the numbers."""
    own = {mark for mark in marks if mark[0] == event_id}
    marks -= own
    return {number for _event, number in own}


def _add_entries(payload: Payload, event_id: int, marks: Touched) -> None:
    numbers = _take_marks_of(marks.entries, event_id)
    if numbers:
        reading.read_entries(payload, Q(event=event_id, number__in=numbers))
        payload.absent(f"entry/{number}" for number in numbers)


def _add_stages(payload: Payload, event_id: int, marks: Touched) -> None:
    numbers = _take_marks_of(marks.stages, event_id)
    if marks.stage_keys:
        found = Stage.objects.filter(pk__in=marks.stage_keys).values_list(
            "pk", "event_id", "number"
        )
        others = {pk for pk, owner, _number in found if owner != event_id}
        numbers |= {number for _pk, owner, number in found if owner == event_id}
        marks.stage_keys &= others
    if numbers:
        reading.read_stages(payload, Q(event=event_id, number__in=numbers))
        payload.absent(f"stage/{number}" for number in numbers)


def _add_rounds(payload: Payload, event_id: int, marks: Touched) -> None:
    """Add marked rounds and matches.

    All matches of a marked round are added, since whether they are closed depends on its state.
    """
    anew, changed = (
        _take_marks_of(marks.rounds_anew, event_id),
        _take_marks_of(marks.rounds, event_id),
    )
    if anew or changed:
        reading.read_rounds(payload, Q(event=event_id, ordinal__in=anew | changed))
        payload.absent(f"round/{ordinal}" for ordinal in changed)
    payload.gone += sorted(f"round/{ordinal}" for ordinal in anew)
    payload.gone = sorted(set(payload.gone))
    wanted = Q(round__ordinal__in=anew | changed) if anew or changed else Q()
    if marks.gone:
        wanted |= _add_deleted_matches(payload, event_id, marks)
    if marks.matches:
        wanted |= Q(pk__in=marks.matches)
    if wanted:
        marks.matches -= reading.read_matches(payload, Q(round__event=event_id) & wanted)
        elsewhere = Match.objects.filter(pk__in=marks.matches).exclude(round__event=event_id)
        marks.matches &= set(elsewhere.values_list("pk", flat=True)) if marks.matches else set()
        payload.gone = [
            place for place in payload.gone if "/match/" not in place or place not in payload.rows
        ]


def _add_deleted_matches(payload: Payload, event_id: int, marks: Touched) -> Q:
    """Add deleted matches of existing rounds; return the condition for their replacements."""
    keys = {key for key, _number in marks.gone}
    found = Round.objects.filter(pk__in=keys).values_list("pk", "event_id", "ordinal")
    owners = {key: (owner, ordinal) for key, owner, ordinal in found}
    wanted = Q(pk__in=[])
    for key, number in sorted(marks.gone):
        owner, ordinal = owners.get(key, (None, 0))
        if owner == event_id:
            payload.gone.append(f"round/{ordinal}/match/{number}")
            wanted |= Q(round=key, number=number)
    marks.gone = {mark for mark in marks.gone if owners.get(mark[0], (event_id,))[0] != event_id}
    return wanted
