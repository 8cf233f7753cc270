"""Validation of an event's settings, and which may change in which state."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from decks.models import HouseFormat
from decks.rulebook import format_and_row, is_house
from rules.criteria import CRITERIA
from rules.criteria.of_tables import check_table_criteria, order_for
from rules.errors import BadInput
from rules.events.clock import checked_overtime, checked_warnings
from rules.events.questions import kept_as_answered, questions_of
from rules.events.timetable import breaks_of
from rules.json_reader import WrongValue
from rules.people.contacts import terms_of
from rules.plans import StagePlan
from rules.stages.kind import kind_of
from rules.stages.tables import table_ranges
from rules.standings.rank_document import points_from
from rules.standings.table import DEFAULT_CRITERIA
from rules.ties.decisions import LOTS
from tournaments.core.formulas import (
    begins_with_tables,
    formula_of,
    formula_of_row,
    plan_for,
)
from tournaments.core.mapping import plan_of, play_of, table_points_of
from tournaments.core.valid_columns import reader_of
from tournaments.core.visibility import check_open_lists
from tournaments.formulas.services import usable_formula
from tournaments.models import Event

ALWAYS = frozenset(
    {
        *("name", "about", "venue", "fee", "minutes", "player_reports", "rulings", "starts_at"),
        *("warnings", "show_prospects", "apart_clubs", "confirm_after", "breaks"),
        *("standings_held", "here_minutes", "prints_rounds", "listed"),
        *("information", "overtime", "ends_by", "tables", "contact_terms"),
        "paired_elsewhere",
    }
)
AFTER_START = ALWAYS | {"criteria"}
BEFORE_START = AFTER_START | {
    *("time_zone", "format", "formula", "options", "points_win", "points_draw", "points_loss"),
    *("points_parts", "decklists", "decklist_deadline", "catalogue", "without_catalogue"),
    *("open_lists", "show_leaders", "registration_opens", "registration_closes", "capacity"),
    *("questions", "table_points"),
}


def sort_warnings_and_breaks(event: Event) -> None:
    """Store warnings and breaks in order. Raises BadInput for what is impossible or too long."""
    event.warnings = list(checked_warnings(event.warnings))
    event.overtime = checked_overtime(event.overtime)
    check_information(event.information)
    event.tables = event.tables and str(table_ranges(event.tables))
    event.breaks = [one.as_json() for one in breaks_of(event.breaks)]
    event.contact_terms = event.contact_terms and terms_of(event.contact_terms).as_json()
    event.questions = [one.as_json() for one in questions_of(event.questions)]


def check_values(event: Event, names: Iterable[str]) -> None:
    """Raise BadInput ``bad_value`` with the ``field`` of a setting that its column can't hold."""
    for name in names:
        column, value = Event._meta.get_field(name), getattr(event, name)
        if column.is_relation or (value is None and column.null):
            continue
        try:
            reader_of(column)(value)
        except WrongValue as wrong:
            raise BadInput(
                "bad_value",
                "“%(field)s” can't be stored. %(what)s",
                field=name,
                path=wrong.inside(name).path,
                what=wrong.problem,
            ) from None


def check_questions(event: Event, questions: Sequence[Mapping[str, object]]) -> None:
    """Raise RuleError ``question_answered`` if a change contradicts an answer; one query."""
    answers = defaultdict[str, list[object]](list)
    for given in event.entries.values_list("answers", flat=True):
        for key, answer in given.items():
            answers[key].append(answer)
    kept_as_answered(questions_of(event.questions), questions_of(questions), answers)


LONGEST_INFORMATION = 20_000
SIZES_TRIED = (16, *range(2, 129))
"""Numbers of players for which an event that has not started is laid out, until one fits."""


def check_information(text: str) -> None:
    """Raise BadInput ``too_long`` for a page of information above ``LONGEST_INFORMATION``."""
    if len(text) > LONGEST_INFORMATION:
        raise BadInput(
            "too_long",
            "The information has at most %(most)s characters. Nothing was stored: shorten it.",
            most=LONGEST_INFORMATION,
        )


def check_rules(event: Event) -> None:
    """Raise BadInput for unknown settings or an invalid combination.

    Where the game has no lists, none are collected.
    """
    _check_format(event)
    saved = usable_formula(event)
    formula = formula_of_row(saved) if saved else formula_of(event.formula)
    event.options = dict(formula.checked(event.options))
    check_open_lists(event.open_lists, formula)
    check_criteria(event.criteria, at_tables=formula.of_tables)
    _check_table_points(event, at_tables=formula.of_tables)
    if formula.of_tables:
        _check_one_game(event)
    check_registration(event.registration_opens, event.registration_closes)


def check_paired_elsewhere(event: Event) -> None:
    """Raise BadInput ``no_swiss_rounds`` for an event paired elsewhere whose format has none.

    A query for a saved formula, before the start.
    """
    if event.paired_elsewhere and not any(kind_of(one).pairs_by_points for one in _stages(event)):
        raise BadInput(
            "no_swiss_rounds",
            "Only Swiss rounds and rounds at multiplayer tables can be paired elsewhere. Choose "
            "such a tournament format.",
        )


def _stages(event: Event) -> Sequence[StagePlan]:
    """Return the stages of an event; before the start those of the first size that fits."""
    if event.plan is not None:
        return plan_of(event).stages
    for players in SIZES_TRIED:
        try:
            return plan_for(event, players).stages
        except BadInput:
            continue
    return ()


def check_registration(opens: datetime | None, closes: datetime | None) -> None:
    """Raise BadInput ``bad_registration`` unless registration opens before it closes."""
    if opens is not None and closes is not None and opens >= closes:
        raise BadInput(
            "bad_registration", "Registration must open before it closes. Nothing was stored."
        )


def check_criteria(criteria: Sequence[str], *, at_tables: bool) -> None:
    """Raise BadInput unless the criteria are known, unique and end with the drawing of lots.

    ``criterion_needs_two`` for one that says nothing at tables of three and more.
    """
    if at_tables:
        check_table_criteria(criteria)
    else:
        for key in criteria:
            CRITERIA.get(key)
    if not criteria or len(set(criteria)) != len(criteria):
        raise BadInput(
            "bad_criteria", "Name each criterion once, and at least one. Nothing was stored."
        )
    if LOTS in criteria[:-1]:
        raise BadInput("bad_criteria", "The random draw is the last tiebreaker.")


def usual_criteria(event: Event) -> list[str]:
    if not begins_with_tables(event.formula):
        return list(DEFAULT_CRITERIA)
    return list(order_for(by_place=bool(table_points_of(event).by_place)))


def _check_table_points(event: Event, *, at_tables: bool) -> None:
    """Raise BadInput for points of places that make no sense, or where two play each match."""
    if event.table_points is None:
        return
    points_from(event.table_points)
    if not at_tables:
        raise BadInput(
            "invalid_points",
            "Points for places need multiplayer tables. Give the points of a win, a draw and a "
            "loss.",
        )


def _check_one_game(event: Event) -> None:
    """Raise BadInput ``format_needs_two`` for a game whose result is a score of two players."""
    play = play_of(event)
    if play.score == "promotion" or max(play.best_of, play.final_best_of) > 1:
        raise BadInput(
            "format_needs_two",
            "Matches of this deck format are between two players. Choose another deck format, or "
            "a tournament format without multiplayer tables.",
        )


def _check_format(event: Event) -> None:
    """Raise BadInput for an unknown format or another owner's; it is held against deletion."""
    if is_house(event.format):
        HouseFormat.objects.select_for_update().filter(slug=event.format).first()
    _shape, house = format_and_row(event.format)
    if house is not None and house.owner_id != event.created_by_id:
        raise BadInput(
            "foreign_format",
            "This house format belongs to somebody else. Nothing was stored: copy it first.",
        )
    if house is not None and house.lists == HouseFormat.Lists.OFF:
        event.decklists = Event.Decklists.OFF
