"""Sheets of the players and of their decklists."""

from django.utils.translation import gettext as _

from decks.decklists.mapping import deck_of
from decks.decklists.selectors import zone_label
from rules.deckbuilding.render import canonical
from tournaments.core.visibility import Sight
from tournaments.exports.loading import Source
from tournaments.exports.tables import TEXT, TIME, WHOLE, Column, Table, Value
from tournaments.models import DeckSubmission, Entry, Event


def players_table(source: Source) -> Table:
    """Return everybody who is or was entered, by number."""
    columns = [
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Name")),
        Column(key="club", label=_("Club")),
        Column(key="seed", label=_("Seed position"), kind=WHOLE),
        Column(key="status", label=_("Status")),
    ]
    if source.staff and source.event.decklists != Event.Decklists.OFF:
        columns.append(Column(key="decklist", label=_("Decklist")))
    rows = [
        (
            entry.number,
            entry.name,
            entry.club,
            entry.seed,
            str(entry.get_status_display()),
            decklist_state(entry),
        )[: len(columns)]
        for _number, entry in sorted(source.listed.items())
    ]
    return Table(key="players", title=_("Players"), columns=columns, rows=rows)


def decklist_state(entry: Entry) -> str:
    """Return whether there is a list, and a legal one; its submission must be loaded."""
    if entry.submission is None:
        return _("missing")
    return _("legal") if entry.submission.decklist.legal else _("illegal")


def decklists_table(source: Source, sight: Sight) -> Table:
    """Return every card of every list that the reader may read, one card a line."""
    columns = (
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="zone", label=_("Section")),
        Column(key="count", label=_("Copies"), kind=WHOLE),
        Column(key="card", label=_("Card")),
        Column(key="kind", label=_("Kind")),
        Column(key="expansion", label=_("Expansion")),
        Column(key="state", label=_("Decklist")),
        Column(key="submitted_at", label=_("Handed in"), kind=TIME),
        Column(key="fingerprint", label=_("Fingerprint"), kind=TEXT),
    )
    rows: list[tuple[Value, ...]] = []
    for _number, entry in sorted(source.listed.items()):
        if entry.submission is not None and sight.reads(entry):
            rows += _cards(entry, entry.submission)
    return Table(key="decklists", title=_("Decklists"), columns=columns, rows=rows)


def _cards(entry: Entry, submission: DeckSubmission) -> list[tuple[Value, ...]]:
    state = decklist_state(entry)
    ending = (state, submission.submitted_at, submission.decklist.fingerprint)
    return [
        (
            entry.number,
            entry.name,
            zone_label(zone),
            card.count,
            card.name,
            card.kind,
            card.expansion,
            *ending,
        )
        for zone, cards in canonical(deck_of(submission.decklist)).zones.items()
        for card in cards
    ]
