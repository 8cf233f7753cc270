"""The workbook of the standings, to be handed out: at most eight sheets, each printed as a page."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from io import BytesIO

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from xlsxwriter import Workbook

from config.wording import translate
from rules.stages.kind import is_of_tables
from tournaments.core.event_state import EventFacts, StageFacts, facts_of
from tournaments.core.permissions import Actor
from tournaments.core.row_queries import load_rows
from tournaments.core.visibility import sight_of
from tournaments.exports.at_tables import has_tables, seats_table
from tournaments.exports.cells import TITLE_SIZE, Table, sheet_title
from tournaments.exports.event import decklists_table
from tournaments.exports.handout.bracket_cells import draw_bracket_sheet
from tournaments.exports.handout.brackets import Bracket
from tournaments.exports.handout.grid import OPTIONS
from tournaments.exports.handout.groups import is_one_match
from tournaments.exports.handout.result_sheet import MARGINS, draw_result
from tournaments.exports.handout.stages import stages_table, without_empty
from tournaments.exports.loading import source_to_hand_out
from tournaments.exports.results import results_table
from tournaments.exports.sheets import Sheets
from tournaments.models import Event, Stage

MOST_STAGES = 5
"""Sheets of stages; with the result, the matches and the decks there are eight."""
UPRIGHT = 130
"""Characters of a table that is printed on pages that stand, at seven points or more."""
NOT_HANDED_OUT = ("number", "a", "b", "state", "round")
SAID_ONCE = ("stage", "games_drawn", "ended_by")
"""Columns of the matches that are left out if they say the same of all that were played."""


def standings_file(event: Event, *, staff: bool) -> bytes:
    """Return the .xlsx file of an event's standings in the active language; some eight queries.

    Rounds that are not published are in nobody's file, and decks only once they are published, as
    it is made to be passed on. ``staff`` adds standings that are held back.
    """
    facts = facts_of(event, load_rows(event), drafts=False, held=not staff)
    sight = sight_of(Actor(), event)
    source = source_to_hand_out(facts, lists=sight.published)
    file = BytesIO()
    book = Workbook(file, deepcopy(OPTIONS))  # which XlsxWriter changes
    sheets = Sheets(
        book, heading=event.name, footing=event.head[:32], zone=source.zone, upright=UPRIGHT
    )
    taken: set[str] = set()
    first = book.add_worksheet(sheet_title(_("Result"), taken))
    draw_result(book, first, facts)
    first.set_footer(sheets.footer)
    for stages in stages_by_sheet(facts):
        title = sheet_title(title_of(stages), taken)
        if stages[0].kind.has_table:
            sheets.add(replace(stages_table(source, stages), title=title))
        else:
            sheet = book.add_worksheet(title)
            brackets = [Bracket(facts, one) for one in stages]
            draw_bracket_sheet(book, sheet, brackets, MARGINS)
            sheets.print_around(sheet)
    if has_tables(facts):
        sheets.add(_with_title(seats_table(source), _("Tables"), taken, hidden=("round",)))
    if any(stage.matches and not is_of_tables(stage.plan) for stage in facts.stages):
        sheets.add(_with_title(results_table(source, reporters=False), _("Matches"), taken))
    if sight.published and event.decklists != Event.Decklists.OFF:
        sheets.add(_with_title(decklists_table(source, sight), pgettext("sheet", "Decks"), taken))
    book.close()
    return file.getvalue()


def _with_title(
    table: Table, title: str, taken: set[str], hidden: Sequence[str] = NOT_HANDED_OUT
) -> Table:
    """Return a table of the archive workbook as it is handed out."""
    not_printed = [column.key for column in table.columns if not column.printed]
    alike = [key for key in SAID_ONCE if _is_alike(table, key)]
    made = without_empty(table, *not_printed, *hidden, *alike)
    return replace(made, title=sheet_title(title, taken))


def _is_alike(table: Table, key: str) -> bool:
    """Return whether a column has at most one value."""
    columns = [column.key for column in table.columns]
    at = columns.index(key) if key in columns else -1
    return at >= 0 and len({row[at] for row in table.rows} - {None, ""}) < 2


def stages_by_sheet(facts: EventFacts) -> list[list[StageFacts]]:
    """Return the stages that have begun by sheet; where there are too many, some share one.

    The latest of a kind are joined, tables with tables and brackets with brackets, so that nothing
    is left out. A single match has no sheet: the result has it.
    """
    begun = [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
    sheets = [[one] for one in begun if not is_one_match(one)]
    while len(sheets) > MOST_STAGES:
        tables, brackets = (
            [one for one in sheets if one[0].kind.has_table is has] for has in (True, False)
        )
        *_before, last, joined = max(tables, brackets, key=len)
        last += joined
        sheets.remove(joined)
    return sheets


def title_of(stages: Sequence[StageFacts]) -> str:
    """Return the title of a sheet: the names of its stages where there is room for them."""
    words = " · ".join(translate(one.plan.label) for one in stages)
    return words if len(stages) == 1 or len(words) <= TITLE_SIZE else _("Further stages")
