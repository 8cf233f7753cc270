"""All sheets of a round as one PDF: it is printed at once, and written beside the database."""

import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from pypdf import PdfWriter

from tournaments.core.event_state import EventFacts, facts_of
from tournaments.paper.contents import rounds, tables
from tournaments.paper.contents.shared import Content
from tournaments.paper.typesetting import typeset
from tournaments.rounds.selectors.pairings import PairingsPage


def packet(
    facts: EventFacts, shown: PairingsPage, now: datetime, addresses: rounds.Addresses, paper: str
) -> bytes:
    """Return a round's pairings, standings before it, slips and results by hand as one PDF.

    No personal link is ever part of it. No query beyond ``facts``; some 50 ms for 128 players.
    """
    whole = PdfWriter()
    for name, content in _sheets(facts, shown, now, addresses):
        whole.append(io.BytesIO(typeset(name, content, paper)))
    written = io.BytesIO()
    whole.write(written)
    return written.getvalue()


def _sheets(
    facts: EventFacts, shown: PairingsPage, now: datetime, addresses: rounds.Addresses
) -> Iterator[tuple[str, Content]]:
    yield "pairings", rounds.pairings(facts, shown, now)
    yield "tables", rounds.tables(facts, shown, now)
    before = facts_before(facts, shown.round.ordinal)
    if before is not None and (standings := tables.standings(before, now, ranked=False))["tables"]:
        yield "standings", standings
    slips = rounds.slips(facts, shown, now, addresses)
    if slips["sheets"]:
        yield "slips", slips
    yield "blank", rounds.blank(facts, shown, now)


def facts_before(facts: EventFacts, ordinal: int) -> EventFacts | None:
    """Return the event's facts before a round; None before the first. No query."""
    rounds_before = tuple(item for item in facts.rows.rounds if item.ordinal < ordinal)
    if not rounds_before:
        return None
    last = max(rounds_before, key=lambda item: item.ordinal).stage_id
    stages = facts.rows.stages
    begun = stages[: 1 + next(at for at, stage in enumerate(stages) if stage.pk == last)]
    rows = replace(facts.rows, rounds=rounds_before, stages=begun)
    return facts_of(facts.event, rows, drafts=False)
