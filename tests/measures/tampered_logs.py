"""Ways to tamper with the log of an event: lines edited, cut, taken out, put in, chained anew."""

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rules.events.ledger import FIRST
from tests.planting import Change, changes, other, sql, writing
from tournaments.chain.lines import CLOSED, chain_line, payload_as_facts, seal_private_part
from tournaments.chain.payload import event_payload
from tournaments.models import Event, LogLine

Do = Callable[[], object]


@dataclass(frozen=True)
class Tampering:
    """What is written behind the program's back, and what is done then, if anything."""

    kind: str
    name: str
    make: Do
    then: tuple[Do, ...] = ()


def of_the_log(event: Event, chance: random.Random) -> Iterator[Tampering]:
    """Yield all of them for one event."""
    lines = list(event.log.order_by("number"))
    kind = "the log"
    columns = ("action", "at", "player", "facts", "number", "salt", "closed_digest", "digest")
    for column in (*columns, *CLOSED):
        line = chance.choice([each for each in lines[1:] if column != "words" or each.words])
        field = line._meta.get_field(column)
        value = other(field, getattr(line, column), [], chance)
        if column == "number":
            value = lines[-1].number + 1
        if value is not None:
            yield Tampering(kind, f"{column} of a line", writing(line, {field: value}))
    for count in (1, 2, 5):
        yield Tampering(kind, f"last {count} cut", _cut(event, lines, count))
        yield Tampering(kind, f"{count} taken out", _taken_out(chance.sample(lines[1:-1], count)))
    yield Tampering(kind, "line put in", _put_in(event, lines[-1]))
    one, two = chance.sample(lines[1:], 2)
    yield Tampering(kind, "two lines exchanged", _exchanged(one, two))
    for change in chance.sample(list(changes(event, chance)), 10):
        yield Tampering(kind, f"{change.name}, chain anew", _chained_anew(event, change))


def _cut(event: Event, lines: list[LogLine], count: int) -> Do:
    last = lines[-count - 1]

    def cut() -> None:
        sql(
            "DELETE FROM tournaments_logline WHERE event_id = %s AND number > %s",
            event.pk,
            last.number,
        )
        head = "UPDATE tournaments_event SET version = %s, head = %s WHERE id = %s"
        sql(head, last.number, last.digest, event.pk)

    return cut


def _taken_out(lines: list[LogLine]) -> Do:
    return lambda: [sql("DELETE FROM tournaments_logline WHERE id = %s", line.pk) for line in lines]


def _put_in(event: Event, last: LogLine) -> Do:
    """Return what adds the last line once more."""

    def put_in() -> None:
        line = copy.copy(last)
        line.pk, line.number, line._state.adding = None, last.number + 1, True
        line.save()
        head = "UPDATE tournaments_event SET version = %s, head = %s WHERE id = %s"
        sql(head, line.number, line.digest, event.pk)

    return put_in


def _exchanged(one: LogLine, two: LogLine) -> Do:
    def exchange() -> None:
        for line, number in ((one, 90_000), (two, one.number), (one, two.number)):
            sql("UPDATE tournaments_logline SET number = %s WHERE id = %s", number, line.pk)

    return exchange


def _chained_anew(event: Event, change: Change) -> Do:
    """Return what makes a change and computes the chain again."""

    def forge() -> None:
        change.make()
        before, lines = FIRST, list(event.log.order_by("number"))
        for line in lines:
            if line is lines[-1]:
                told = event_payload(event)
                line.facts, line.words = payload_as_facts(told, whole_event=True), told.words
            seal_private_part(line)
            chain_line(line, before)
            before = line.digest
        columns = ["facts", "words", "salt", "closed_digest", "digest"]
        LogLine.objects.bulk_update(lines, columns)
        Event.objects.filter(pk=event.pk).update(head=before)

    return forge
