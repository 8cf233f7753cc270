"""How many matches each player won, drew and lost in an event: the one place that counts them."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Protocol

from rules.results import PlayerId, Result
from rules.standings.recent import Marks, Record, all_marks, record_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import result_of
from tournaments.core.rows import RoundRow
from tournaments.core.values_cache import cached
from tournaments.standings.selectors.told import as_of, left_out, told_row


class Counted(Protocol):
    """Protocol of what counts the matches won, drawn and lost."""

    @property
    def won(self) -> int: ...

    @property
    def drawn(self) -> int: ...

    @property
    def lost(self) -> int: ...


def records(facts: EventFacts) -> Mapping[PlayerId, Record]:
    """Return the record of each player over all stages, counted once for these facts; no query.

    As in the tables, a bye counts as won and a missed round as lost, and extra matches don't count.
    Rounds whose standings are held back count too: their results are public.
    """
    return cached(facts, "records", lambda: _records(facts))


def record_beside_points(facts: EventFacts, number: PlayerId) -> tuple[Record, str]:
    """Return a player's record without the rounds that the points beside it leave out; no query.

    As of when that is comes with it, "" where the points count all rounds. What is left out is
    counted once for these facts, for all players.
    """
    record, told = records(facts)[number], told_row(facts, number)
    later = left_out(told) if told is not None else ()
    if told is None or not later:
        return record, ""
    left = record_of(_marks_of(facts, told.stage, later).get(number, ()))
    return Record(*(count - out for count, out in zip(record, left, strict=True))), as_of(told)


def _marks_of(
    facts: EventFacts, stage: StageFacts, rounds: tuple[RoundRow, ...]
) -> Mapping[PlayerId, Marks]:
    """Return the marks of all players in some rounds of a stage, made once for these facts."""
    key = ("marks of", *(item.pk for item in rounds))
    return cached(facts, key, lambda: all_marks(_results(facts, stage, rounds)))


def _records(facts: EventFacts) -> Mapping[PlayerId, Record]:
    every = (_results(facts, stage, stage.regular_rounds) for stage in facts.stages)
    marks = all_marks(chain.from_iterable(every))
    return {player: record_of(marks.get(player, ())) for player in facts.entries}


def _results(facts: EventFacts, stage: StageFacts, rounds: Iterable[RoundRow]) -> Iterator[Result]:
    """Yield the results of some rounds of a stage, those held back too."""
    keys = (item.pk for item in stage.regular_rounds)
    known = dict(zip(keys, stage.state.rounds, strict=True))
    for item in rounds:
        if item.pk in stage.held:
            matches = stage.matches_of(item)
            yield from (result_of(match, item.number, facts.numbers) for match in matches)
        else:
            yield from (result for _pairing, result in known[item.pk])


def shown_record(record: Counted) -> str:
    """Return a record, or that of a row, as pages, paper and files write it: 4–0–1."""
    return f"{record.won}–{record.drawn}–{record.lost}"
