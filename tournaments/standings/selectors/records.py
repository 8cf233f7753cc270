"""How many matches each player won, drew and lost in an event: the one place that counts them."""

from collections.abc import Iterator, Mapping

from rules.results import PlayerId, Result
from rules.standings.recent import Record, all_marks, record_of
from tournaments.core.event_state import EventFacts
from tournaments.core.mapping import result_of
from tournaments.core.values_cache import cached


def records(facts: EventFacts) -> Mapping[PlayerId, Record]:
    """Return the record of each player over all stages, counted once for these facts; no query.

    As in the tables, a bye counts as won and a missed round as lost, and extra matches don't count.
    Rounds whose standings are held back count too: their results are public.
    """
    return cached(facts, "records", lambda: _records(facts))


def _records(facts: EventFacts) -> Mapping[PlayerId, Record]:
    marks = all_marks(_results(facts))
    return {player: record_of(marks.get(player, ())) for player in facts.entries}


def _results(facts: EventFacts) -> Iterator[Result]:
    for stage in facts.stages:
        for item, played in zip(stage.regular_rounds, stage.state.rounds, strict=True):
            if item.pk in stage.held:
                matches = stage.matches_of(item)
                yield from (result_of(match, item.number, facts.numbers) for match in matches)
            else:
                yield from (result for _pairing, result in played)


def shown_record(record: Record) -> str:
    """Return a record as pages write it: 4–0–1."""
    return f"{record.won}–{record.drawn}–{record.lost}"
