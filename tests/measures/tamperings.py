"""Ways to tamper with an event behind the program's back, some with an act after it.

Rows and columns are those of ``tests/planting.py``; the act is what whoever tampers then does by a
button.
"""

import copy
import gzip
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from django.db import models

from tests import factories as make
from tests.measures.tampered_logs import Do, Tampering, of_the_log
from tests.planting import changes, writing
from tournaments.core.permissions import Actor
from tournaments.judging.services import create_announcement
from tournaments.models import Event, Seat, Stage
from tournaments.snapshots.services import restore_snapshot
from tournaments.undo.selectors import find_redoable_undo, undo_options
from tournaments.undo.services import redo, undo


def tamperings(event: Event, by: Actor, chance: random.Random) -> Iterator[Tampering]:
    """Yield all of them for one event."""
    yield from _of_rows(event, chance)
    yield from _beside_rows(event, chance)
    yield from _then_announced(event, by, chance)
    yield from of_the_log(event, chance)
    yield from _of_kept_rows(event, by, chance)
    yield from _of_snapshots(event, by, chance)


def _of_rows(event: Event, chance: random.Random) -> Iterator[Tampering]:
    for change in changes(event, chance):
        yield Tampering("a row by SQL", change.name, change.make)


def _beside_rows(event: Event, chance: random.Random) -> Iterator[Tampering]:
    """Yield what is told of rows without a column of its own: accounts, lists, stages of seats."""
    kind = "beside the columns"
    for entry in event.entries.exclude(user=None):
        one = _update(entry, user_id=make.user().pk)
        yield Tampering(kind, "account of a player", one)
    for sent in _sample(chance, 6, *_handed_in(event)):
        moment = "2020-01-01 00:00:00+00:00"
        yield Tampering(kind, "text of a list", _update(sent.decklist, text="1 Nothing"))
        yield Tampering(kind, "moment of a list", _update(sent, submitted_at=moment))
        fingerprint = {"text": "1 x", "fingerprint": "0" * 64}
        yield Tampering(kind, "fingerprint of a list", _update(sent.decklist, **fingerprint))
    stages = list(Stage.objects.filter(event=event))
    for seat in _sample(chance, 4, *Seat.objects.filter(stage__event=event)):
        for stage in stages:
            if stage.pk != seat.stage_id:
                yield Tampering(kind, "stage of a seat", _update(seat, stage_id=stage.pk))


def _handed_in(event: Event) -> Iterator[Any]:
    for entry in event.entries.all():
        yield from entry.submissions.select_related("decklist")


def _then_announced(event: Event, by: Actor, chance: random.Random) -> Iterator[Tampering]:
    """Yield changes by SQL that an announcement follows, whose line does not tell them."""
    told = _then(create_announcement, event=event, text="Ecco", minutes=5, by=by)
    for change in changes(event, chance):
        yield Tampering("by SQL, then announced", change.name, change.make, (told,))


def _of_kept_rows(event: Event, by: Actor, chance: random.Random) -> Iterator[Tampering]:
    kind = "kept rows"
    found, again = undo_options(event), find_redoable_undo(event)
    offered = [act.line.number for act in (found.last, *found.others) if act]
    for kept in event.kept_rows.all():
        for how, rows in _spoilt(kept.rows, chance):
            then: tuple[Do, ...] = ()
            if kept.line in offered:
                then = (_then(undo, event=event, expected=kept.line, confirm=event.name, by=by),)
            elif again is not None and again.number == kept.line:
                then = (_then(redo, event=event, expected=kept.line, confirm=event.name, by=by),)
            done = "taken back" if then else "kept"
            yield Tampering(kind, f"{how}, {done}", _update(kept, rows=rows), then)


def _spoilt(rows: dict[str, Any], chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the difference of an act with one value changed, and with one row less."""
    places = [
        (part, name, key)
        for part, tables in rows.items()
        for name, table in tables.items()
        for key in table
    ]
    for part, name, key in _sample(chance, 2, *places):
        changed = copy.deepcopy(rows)
        row = changed[part][name][key]
        column = chance.choice(list(row))
        row[column] = (
            [_another(row[column][0]), row[column][1]]
            if part == "changed"
            else _another(row[column])
        )
        yield f"{part} {name}.{column}", changed
    if places:
        part, name, key = chance.choice(places)
        fewer = copy.deepcopy(rows)
        del fewer[part][name][key]
        yield f"{part} {name} gone", fewer


def _another(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    return f"{value}x" if isinstance(value, str) else {"x": 1}


def _of_snapshots(event: Event, by: Actor, chance: random.Random) -> Iterator[Tampering]:
    kind = "a snapshot"
    for snapshot in event.snapshots.all():
        tables = json.loads(gzip.decompress(snapshot.document))["tables"]
        restored = _then(
            restore_snapshot, event=event, snapshot_id=snapshot.pk, confirm=event.name, by=by
        )
        for name in ("entries", "matches", "reports", "stages", "events", "seats"):
            row = chance.choice(tables[name])
            column = chance.choice(list(row))
            document = json.loads(gzip.decompress(snapshot.document))
            changed = document["tables"][name][tables[name].index(row)]
            changed[column] = _another(changed[column])
            held = gzip.compress(json.dumps(document).encode())
            for then in ((), (restored,)):
                done = "put back" if then else "kept"
                yield Tampering(
                    kind, f"{name}.{column}, {done}", _update(snapshot, document=held), then
                )
        yield Tampering(kind, "version, put back", _update(snapshot, version=1), (restored,))


def _sample(chance: random.Random, most: int, *values: Any) -> list[Any]:
    return chance.sample(values, min(most, len(values)))


def _update(row: models.Model, **values: Any) -> Do:
    """Return what writes columns by SQL."""
    fields = {each: values[each.attname] for each in row._meta.fields if each.attname in values}
    return writing(row, fields)


def _then(act: Callable[..., object], *args: Any, **values: Any) -> Do:
    return lambda: act(*args, **values)
