"""The workbook of the standings, to be handed out: at most eight sheets, each printed as a page."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from io import BytesIO

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from xlsxwriter import Workbook

from config.wording import translate
from tournaments.core.event_state import EventFacts, StageFacts, facts_of
from tournaments.core.permissions import Actor
from tournaments.core.row_queries import load_rows
from tournaments.core.visibility import sight_of
from tournaments.exports.cells import Table, sheet_title
from tournaments.exports.event import decklists_table
from tournaments.exports.handout.bracket_cells import draw_bracket_sheet
from tournaments.exports.handout.brackets import Bracket
from tournaments.exports.handout.grid import OPTIONS
from tournaments.exports.handout.groups import is_one_match
from tournaments.exports.handout.result_sheet import MARGINS, draw_result
from tournaments.exports.handout.stages import stages_table, without_empty
from tournaments.exports.loading import load_source
from tournaments.exports.results import results_table
from tournaments.exports.sheets import Sheets
from tournaments.models import Event, Stage

MOST_STAGES = 5
"""Sheets of stages; with the result, the matches and the decks there are eight."""
NOT_HANDED_OUT = ("number", "a", "b", "state")


def standings_file(event: Event, *, staff: bool) -> bytes:
    """Return the .xlsx file of an event's standings in the active language; some ten queries.

    Rounds that are not published are in nobody's file, and decks only once they are published, as
    it is made to be passed on. ``staff`` adds standings that are held back.
    """
    facts = facts_of(event, load_rows(event), drafts=False, held=not staff)
    sight = sight_of(Actor(), event)
    source = load_source(event, staff=False, lists=sight.published, facts=facts)
    file = BytesIO()
    book = Workbook(file, deepcopy(OPTIONS))  # which XlsxWriter changes
    sheets = Sheets(book, heading=event.name, footing=event.head[:32], zone=source.zone)
    taken: set[str] = set()
    first = book.add_worksheet(sheet_title(_("Result"), taken))
    draw_result(book, first, facts)
    first.set_footer(sheets.footer)
    for stages in _on_sheets(facts):
        title = sheet_title(" · ".join(translate(one.plan.label) for one in stages), taken)
        if stages[0].kind.has_table:
            sheets.add(replace(stages_table(source, stages), title=title))
        else:
            sheet = book.add_worksheet(title)
            draw_bracket_sheet(book, sheet, Bracket(facts, stages[0]), MARGINS)
            sheets.print_around(sheet)
    if any(stage.matches for stage in facts.stages):
        sheets.add(_with_title(results_table(source), _("Matches"), taken))
    if sight.published and event.decklists != Event.Decklists.OFF:
        sheets.add(_with_title(decklists_table(source, sight), pgettext("sheet", "Decks"), taken))
    book.close()
    return file.getvalue()


def _with_title(table: Table, title: str, taken: set[str]) -> Table:
    """Return a table of the archive workbook as it is handed out."""
    hidden = [column.key for column in table.columns if not column.printed]
    return replace(without_empty(table, *hidden, *NOT_HANDED_OUT), title=sheet_title(title, taken))


def _on_sheets(facts: EventFacts) -> Iterator[Sequence[StageFacts]]:
    """Yield the stages that have begun by sheet; those beyond the last one share it.

    A single match has none: the result has it.
    """
    begun = [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
    own = [one for one in begun if not is_one_match(one)]
    tables = [one for one in own if one.kind.has_table]
    joined = tables[-(len(own) - MOST_STAGES + 1) :] if len(own) > MOST_STAGES else []
    for stage in own:
        if joined and stage is joined[0]:
            yield joined
        elif stage not in joined:
            yield [stage]
