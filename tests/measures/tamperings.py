"""Ways to tamper with an event behind the program's back, some with a normal act that tells it.

Rows and columns are those of ``tests/planting.py``; the act is what whoever tampers then does by a
button, so that a signed line tells what they wrote.
"""

import copy
import gzip
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from django.db import models

from rules.events.ledger import COUNTED
from tests import factories as make
from tests.measures.tampered_events import LATE
from tests.measures.tampered_logs import Do, Tampering, of_the_log
from tests.planting import changes, other, writing
from tournaments.chain.heads import head_path
from tournaments.core.event_tables import CLOSED, LOGGED, OPEN
from tournaments.core.permissions import Actor
from tournaments.events.services.events import change_event
from tournaments.judging.services.notes import announce
from tournaments.keeping_apart.services import keep_apart
from tournaments.models import Entry, Event, Match, Seat, Stage
from tournaments.penalties.services import give_penalty
from tournaments.players.services import departures
from tournaments.players.services.entries import change_entry
from tournaments.players.services.late_entries import add_late_entry
from tournaments.results.services.results import correct_result
from tournaments.snapshots.services import restore_snapshot
from tournaments.strikes.services import lift_strike, strike
from tournaments.undo.selectors import acts_to_offer, undone_act
from tournaments.undo.services.undo import redo, undo


def tamperings(event: Event, by: Actor, chance: random.Random) -> Iterator[Tampering]:
    """Yield all of them for one event."""
    yield from _of_rows(event, chance)
    yield from _beside_rows(event, chance)
    yield from _by_shell(event, by, chance)
    yield from _told_by_an_act(event, by, chance)
    yield from of_the_log(event, chance)
    yield from _of_kept_rows(event, by, chance)
    yield from _of_snapshots(event, by, chance)
    yield from _of_files(event)


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


def _by_shell(event: Event, by: Actor, chance: random.Random) -> Iterator[Tampering]:
    """Yield changes by the models, as in ``manage.py shell``, that an announcement then tells."""
    for name, row, column, value in _values(event, chance):
        rows = type(row)._default_manager.filter(pk=row.pk)
        told = _then(announce, event=event, text="Ecco", minutes=5, by=by)
        write = _then(rows.update, **{column: value})
        yield Tampering("by shell, then announced", f"{name}.{column}", write, (told,))


def _values(event: Event, chance: random.Random) -> Iterator[tuple[str, Any, str, Any]]:
    """Yield model, row, column and another value of each column that counts."""
    for table in LOGGED:
        name, rows = table.model.__name__, list(table.rows(event))
        for column in (*OPEN[name], *CLOSED[name]) if rows else ():
            field, row = table.model._meta.get_field(column), chance.choice(rows)
            values = [getattr(each, field.attname) for each in rows]
            value = other(field, getattr(row, field.attname), values, chance)
            value = value[0] if isinstance(value, tuple) else value
            if value is not None:
                yield name, row, field.attname, value


def _told_by_an_act(event: Event, by: Actor, chance: random.Random) -> Iterator[Tampering]:
    """Yield changes by SQL of rows that a usual act then tells anew."""
    for name, row, column, value in _values(event, chance):
        field = next(each for each in row._meta.fields if each.attname == column)
        for what, act in _acts_on(name, row, event, by):
            kind = "by SQL, then told" if _counts(name, field.name) else "words, then told"
            then = f"{name}.{column}, then {what}"
            yield Tampering(kind, then, writing(row, {field: value}), act)


def _counts(name: str, column: str) -> bool:
    """Return whether a column decides anything, as the laws of the record see it."""
    counted = {"Event": COUNTED["event"], "Entry": COUNTED["entry/*"]}.get(name, OPEN[name])
    return column in counted or name in ("Penalty", "KeptApart")


def _acts_on(name: str, row: Any, event: Event, by: Actor) -> Iterator[tuple[str, tuple[Do, ...]]]:
    """Yield the acts that tell a row of a model again."""
    match name:
        case "Event":
            yield "a fee", (_then(change_event, event=event, changes={"fee": "7"}, by=by),)
        case "Entry":
            club = _then(_fresh, change_entry, entry=row, changes={"club": "Nord"}, by=by)
            yield "a club", (club,)
            yield "a departure", (_then(_fresh, departures.withdraw, entry=row, by=by),)
        case "KeptApart":
            yield "another pair", (_then(keep_apart, event=event, numbers=(7, 8), by=by),)
        case "Penalty":
            given = {"entry": event.entries.get(number=5), "level": "warning", "infraction": "x"}
            yield "another penalty", (_then(give_penalty, **given, by=by),)
        case "Stage" | "Group" | "Seat" if event.format == LATE["format"]:
            late = _then(add_late_entry, event=event, name="Zoe", missed="loss", by=by)
            yield "a late entry", (late,)
        case "Seat" | "Match" | "Report" | "MatchSeat":
            yield from _acts_on_matches(name, row, event, by)


def _acts_on_matches(
    name: str, row: Any, event: Event, by: Actor
) -> Iterator[tuple[str, tuple[Do, ...]]]:
    if name in ("Match", "Report", "MatchSeat"):
        key = row.pk if name == "Match" else row.match_id
        yield "a correction", (lambda: _corrected(key, by),)
    one = event.entries.filter(status="withdrawn").first()
    if one is not None:
        struck = _then(_fresh, strike, entry=one, reason="left", by=by)
        lifted = _then(_fresh, lift_strike, entry=one, reason="again", by=by)
        acts = (lifted, struck) if one.seats.exclude(struck_at=None).exists() else (struck, lifted)
        yield "strike and lift", acts


def _corrected(key: int, by: Actor) -> None:
    match = Match.objects.select_related("round__event").get(pk=key)
    values = {"version": match.version, "claim": make.a_wins(match, 3), "reason": "typed wrong"}
    correct_result(match=match, **values, by=by)


def _of_kept_rows(event: Event, by: Actor, chance: random.Random) -> Iterator[Tampering]:
    kind = "kept rows"
    found, again = acts_to_offer(event), undone_act(event)
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


def _of_files(event: Event) -> Iterator[Tampering]:
    path = head_path(event.pk)
    yield Tampering("the file of heads", "removed", path.unlink)
    for number in (2, event.version // 2, event.version - 3):
        line = event.log.get(number=number)
        back = {"number": number, "digest": line.digest, "signature": line.signature}

        def set_back(back: dict[str, Any] = back) -> None:
            path.write_text(json.dumps(json.loads(path.read_text()) | back))

        yield Tampering("the file of heads", "set back", set_back)


def _sample(chance: random.Random, most: int, *values: Any) -> list[Any]:
    return chance.sample(values, min(most, len(values)))


def _update(row: models.Model, **values: Any) -> Do:
    """Return what writes columns by SQL."""
    fields = {each: values[each.attname] for each in row._meta.fields if each.attname in values}
    return writing(row, fields)


def _then(act: Callable[..., object], *args: Any, **values: Any) -> Do:
    return lambda: act(*args, **values)


def _fresh(act: Callable[..., object], *, entry: Entry, **values: Any) -> object:
    return act(entry=Entry.objects.get(pk=entry.pk), **values)
