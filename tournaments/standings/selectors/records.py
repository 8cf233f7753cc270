"""How many matches each player won, drew and lost in an event: the one place that counts them."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from rules.results import PlayerId, Result
from rules.standings.recent import Record, all_marks, record_of
from tournaments.core.event_state import EventFacts
from tournaments.core.labels import round_label
from tournaments.core.mapping import result_of
from tournaments.core.round_words import counted_rounds
from tournaments.core.values_cache import cached


class Counted(Protocol):
    """Protocol of what counts the matches won, drawn and lost."""

    @property
    def won(self) -> int: ...

    @property
    def drawn(self) -> int: ...

    @property
    def lost(self) -> int: ...


def records(facts: EventFacts, *, held: bool = True) -> Mapping[PlayerId, Record]:
    """Return the record of each player over all stages, counted once for these facts; no query.

    As in the tables, a bye counts as won and a missed round as lost, and extra matches don't count.
    Rounds whose standings are held back count too, as their results are public, unless ``held`` is
    false.
    """
    return cached(facts, ("records", held), lambda: _records(facts, held))


def record_beside_points(facts: EventFacts, number: PlayerId) -> tuple[Record, str]:
    """Return a player's record at the moment of the points that are shown beside it. No query.

    While standings are held back it is that of the rounds that they count; the label of the last
    of these comes with it, else "".
    """
    for stage in facts.stages:
        rounds = counted_rounds(stage)
        if stage.held and rounds and number in stage.state.players:
            return records(facts, held=False)[number], round_label(stage, rounds[-1])
    return records(facts)[number], ""


def _records(facts: EventFacts, held: bool) -> Mapping[PlayerId, Record]:
    marks = all_marks(_results(facts, held))
    return {player: record_of(marks.get(player, ())) for player in facts.entries}


def _results(facts: EventFacts, held: bool) -> Iterator[Result]:
    for stage in facts.stages:
        for item, played in zip(stage.regular_rounds, stage.state.rounds, strict=True):
            if item.pk not in stage.held:
                yield from (result for _pairing, result in played)
            elif held:
                matches = stage.matches_of(item)
                yield from (result_of(match, item.number, facts.numbers) for match in matches)


def shown_record(record: Counted) -> str:
    """Return a record, or that of a row, as pages, paper and files write it: 4–0–1."""
    return f"{record.won}–{record.drawn}–{record.lost}"
