"""Sheets of the event's settings, the players and the decklists."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from django.utils import timezone
from django.utils.translation import gettext as _

from config.ui_dates import in_words
from config.wording import translate
from decks.decklists.selectors import deck_of
from decks.labels import format_label, zone_label
from decks.rulebook import base_format
from rules.criteria.of_tables import criterion_of
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import canonical
from rules.formulas.describe import describe
from rules.numbers import points_as_text
from tournaments.core.formulas import begins_with_tables, formula_of, worth_of
from tournaments.core.mapping import table_points_of
from tournaments.core.visibility import Sight
from tournaments.decklists.selectors.rules import format_of_event
from tournaments.exports.loading import Source
from tournaments.exports.sheets import TIME, WHOLE, Column, Table, Value
from tournaments.matches.words import points_in_words
from tournaments.models import DeckSubmission, Entry, Event
from tournaments.models.entry import status_words
from tournaments.players.selectors.answers import answered, questions_in


def _points_cell(points: Fraction) -> Value:
    return int(points) if points.denominator == 1 else points_as_text(points)


def _points(event: Event) -> Iterator[tuple[str, Value]]:
    """Yield what a match is worth as rows of name and value."""
    if begins_with_tables(event.formula):
        points = table_points_of(event)
        yield _("Points"), points_in_words(points)
        yield _("Points"), _("Points of a bye: %(bye)s.") % {"bye": points.bye}
        return
    win, draw, loss = map(_points_cell, worth_of(event))
    yield _("Points for a win"), win
    yield _("Points for a draw"), draw
    yield _("Points for a loss"), loss


def event_table(source: Source) -> Table:
    """Return the settings as rows of name and value."""
    event = source.event
    deck_rules = format_of_event(event)
    rows: list[tuple[str, Value]] = [
        (_("Name"), event.name),
        (_("Starts at"), event.starts_at),
        (_("Time zone"), event.time_zone),
        (_("Venue"), event.venue),
        (_("State"), str(event.get_state_display())),
        (_("Format"), format_label(deck_rules.format)),
        (_("Tournament format"), translate(formula_of(event.formula).label)),
        (_("Players"), len(source.facts.entries)),
        *_points(event),
        (_("Minutes a round"), event.minutes),
    ]
    if event.fee:
        rows.append((_("Fee"), event.fee))
    rows += [(_("Criteria"), text) for text in _criteria(event)]
    if source.facts.plan is not None:
        rows += [(_("Stages"), translate(line)) for line in describe(source.facts.plan)]
    rows += [(_("Deck rules"), translate(rule)) for rule in deck_rules.format.describe()]
    if deck_rules.lists_dated is not None:
        dated = in_words(deck_rules.lists_dated, "day")
        rows.append((_("Card lists"), _("Card lists of %(dated)s") % {"dated": dated}))
    if event.rulings:
        rows.append((_("Rulings of the head judge"), event.rulings))
    rows += [
        (_("Generated at"), timezone.now()),
        (_("Version of the event"), event.version),
        (_("Fingerprint of the log"), event.head),
    ]
    columns = (
        Column(key="what", label=_("What")),
        Column(key="value", label=_("Value"), kind=TIME),
    )
    return Table(key="event", title=_("Event"), columns=columns, rows=rows)


def _criteria(event: Event) -> list[str]:
    at_tables = begins_with_tables(event.formula)
    used = [criterion_of(key, at_tables=at_tables) for key in event.criteria]
    return [
        f"{position}. {translate(criterion.label)}: {translate(criterion.explains)}"
        for position, criterion in enumerate(used, start=1)
    ]


def players_table(source: Source) -> Table:
    """Return all entries by number, withdrawn ones included."""
    columns = [
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Name")),
        Column(key="club", label=_("Club")),
        Column(key="seed", label=_("Seed position"), kind=WHOLE),
        Column(key="status", label=_("Status")),
    ]
    lists = source.staff and source.event.decklists != Event.Decklists.OFF
    fees = source.staff and source.event.takes_fee
    if lists:
        columns.append(Column(key="decklist", label=_("Decklist")))
    if fees:
        columns.append(Column(key="fee", label=_("Fee")))
    questions = questions_in(source.event) if source.staff else ()
    columns += [Column(key=f"answer_{one.key}", label=one.text) for one in questions]
    status = cache(status_words)
    states = {legal: decklist_state(legal) for legal in (None, True, False)}
    paid = {True: _("paid"), False: _("to pay")}
    rows = [
        (
            entry.number,
            entry.name,
            entry.club,
            entry.seed,
            status(entry.status, entry.departure),
            *((states[source.submitted[entry.number].legal],) if lists else ()),
            *((paid[entry.fee_paid],) if fees else ()),
            *(row["answer"] for row in answered(questions, source.submitted[entry.number].answers)),
        )
        for _number, entry in sorted(source.facts.entries.items())
    ]
    return Table(key="players", title=_("Players"), columns=columns, rows=rows, beside="name")


def decklist_state(legal: bool | None) -> str:
    """Return the translated state of a player's decklist; None is no list."""
    if legal is None:
        return _("missing")
    return _("legal") if legal else _("illegal")


def decklists_table(source: Source, sight: Sight) -> Table:
    """Return the cards of all decklists that the reader may see, one card a row."""
    columns = (
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="zone", label=_("Section")),
        Column(key="count", label=_("Copies"), kind=WHOLE),
        Column(key="card", label=_("Card")),
        Column(key="kind", label=_("Kind")),
        Column(key="expansion", label=_("Expansion")),
        Column(key="state", label=_("Decklist")),
        Column(key="submitted_at", label=_("Handed in"), kind=TIME, printed=False),
        Column(key="fingerprint", label=_("Fingerprint"), printed=False),
    )
    rows: list[tuple[Value, ...]] = []
    shape = base_format(source.event.format_key)
    for entry in source.listed:
        if entry.submission is not None and sight.reads(entry):
            rows += _cards(entry, entry.submission, shape)
    return Table(key="decklists", title=_("Decklists"), columns=columns, rows=rows, beside="name")


def _cards(entry: Entry, submission: DeckSubmission, shape: DeckFormat) -> list[tuple[Value, ...]]:
    state = decklist_state(submission.decklist.legal)
    ending = (state, submission.submitted_at, submission.decklist.fingerprint)
    return [
        (
            entry.number,
            entry.name,
            zone_label(zone, shape),
            card.count,
            card.name,
            card.kind,
            card.expansion,
            *ending,
        )
        for zone, cards in canonical(deck_of(submission.decklist)).zones.items()
        for card in cards
    ]
