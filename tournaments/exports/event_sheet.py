"""The first sheet: the event itself, its rules and criteria in words."""

from django.utils import timezone
from django.utils.translation import gettext as _

from config.ui_dates import in_words
from config.wording import translate
from decks.decklists.selectors import format_label
from rules.criteria import CRITERIA
from rules.formulas.describe import describe
from tournaments.decklists.selectors.rules import format_of_event
from tournaments.exports.loading import Source
from tournaments.exports.tables import TIME, Column, Table, Value
from tournaments.formulas.selectors import formula_of


def event_table(source: Source) -> Table:
    """Return names and values, one a line."""
    event = source.event
    deck_rules = format_of_event(event)
    rows: list[tuple[str, Value]] = [
        (_("Name"), event.name),
        (_("Starts at"), event.starts_at),
        (_("Time zone"), event.time_zone),
        (_("Venue"), event.venue),
        (_("State"), str(event.get_state_display())),
        (_("Format"), format_label(deck_rules.format)),
        (_("Formula"), translate(formula_of(event.formula).label)),
        (_("Players"), len(source.facts.entries)),
        (_("Points for a win"), event.points_win),
        (_("Points for a draw"), event.points_draw),
        (_("Points for a loss"), event.points_loss),
        (_("Minutes a round"), event.minutes),
    ]
    if event.fee:
        rows.append((_("Fee"), event.fee))
    rows += [(_("Criteria"), text) for text in _criteria(event.criteria)]
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


def _criteria(keys: list[str]) -> list[str]:
    return [
        f"{position}. {translate(CRITERIA.get(key).label)}: {translate(CRITERIA.get(key).explains)}"
        for position, key in enumerate(keys, start=1)
    ]
