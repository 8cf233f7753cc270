"""The workbook of the standings, to be handed out: at most eight sheets, each printed as a page,
and the tables of those after the first.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from io import BytesIO

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from xlsxwriter import Workbook

from config.wording import translate
from rules.criteria.of_tables import find_criterion
from rules.stages.base import has_multiplayer_tables
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts, facts_from_rows
from tournaments.core.kept_places import standings_across_groups
from tournaments.core.labels import ordinal
from tournaments.core.permissions import Actor
from tournaments.core.rows import load_rows
from tournaments.core.visibility import visible_decklists
from tournaments.diagrams.selectors.placed_brackets import BracketLayout
from tournaments.exports.handout.grid import OPTIONS, draw_bracket_sheet
from tournaments.exports.handout.groups import advance_targets, is_single_match
from tournaments.exports.handout.result_sheet import MARGINS, draw_result_sheet
from tournaments.exports.loading import (
    WorkbookSource,
    handout_source,
    has_begun_multiplayer_stage,
    seats_table,
)
from tournaments.exports.sheets import (
    NUMBER,
    SHARE,
    TITLE_SIZE,
    WHOLE,
    Column,
    SheetTable,
    SheetWriter,
    Value,
    sheet_title,
)
from tournaments.exports.tables import decklists_table, results_by_pair, results_table
from tournaments.models import Event, Stage

MOST_CROSSED = 16
"""Players of the largest group whose matches stand beside the standings."""


def stages_table(source: WorkbookSource, stages: Sequence[StageFacts]) -> SheetTable:
    """Return the standings of all groups of these stages as one table; no query.

    Comparisons across groups follow.
    """
    criteria = [one for one in map(find_criterion, source.event.criteria) if one.column is not None]
    most = max((_cross_columns(stage) for stage in stages), default=0)
    columns = (
        Column(key="stage", label=_("Stage")),
        Column(key="group", label=_("Group")),
        Column(key="rank", label=pgettext("short", "Rank"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="club", label=_("Club")),
        Column(key="played", label=pgettext("matches played", "P"), kind=WHOLE),
        Column(key="won", label=pgettext("one letter", "W"), kind=WHOLE),
        Column(key="lost", label=pgettext("one letter", "L"), kind=WHOLE),
        Column(key="drawn", label=pgettext("one letter", "D"), kind=WHOLE),
        *(
            Column(
                key=one.key,
                label=translate(one.short),
                kind=SHARE if one.percentage else NUMBER,
            )
            for one in criteria
        ),
        Column(key="goes_to", label=_("goes to")),
        *(Column(key=f"against.{at}", label=ordinal(at)) for at in range(1, most + 1)),
    )
    keys = [one.key for one in criteria]
    rows = [row for stage in stages for row in _rows(source, stage, keys, most)]
    label = " · ".join(translate(stage.plan.label) for stage in stages)
    note = _("Cross tables with more than %(most)s players are in the archive.")
    left_out = any(stage.kind.all_meet and not _cross_columns(stage) for stage in stages)
    made = SheetTable(
        key="stage",
        title=label,
        columns=columns,
        rows=rows,
        beside="name",
        note=note % {"most": MOST_CROSSED} if left_out else "",
    )
    return without_empty_columns(made, *(("stage",) if len(stages) < 2 else ()))


def _cross_columns(stage: StageFacts) -> int:
    """Return how many columns the matches of a group need, 0 if they do not stand there."""
    largest = max(len(group.seats) for group in stage.plan.groups)
    return largest if stage.kind.all_meet and largest <= MOST_CROSSED else 0


def _rows(
    source: WorkbookSource, stage: StageFacts, keys: Sequence[str], most: int
) -> Iterator[tuple[Value, ...]]:
    goes, label = advance_targets(source.facts, stage), translate(stage.plan.label)
    many = len(stage.groups) > 1

    def row_of(standings: Standings, group: str, cross: bool) -> Iterator[tuple[Value, ...]]:
        met = results_by_pair(stage, group) if cross else {}
        order = [int(row.player) for row in standings.rows]
        for row in standings.rows:
            entry = source.facts.entries[row.player]
            cells = [
                "×" if other == row.player else " / ".join(met.get((int(row.player), other), ()))
                for other in (order if cross else ())
            ]
            yield (
                label,
                group if many else "",
                row.rank,
                entry.display_name,
                entry.club,
                row.played,
                row.won,
                row.lost,
                row.drawn,
                *(row.values.get(key) for key in keys),
                goes.get(row.player, ""),
                *(cells + [""] * most)[:most],
            )

    cross = bool(_cross_columns(stage))
    for group, standings in stage.outcome.standings.items():
        yield from row_of(standings, group, cross)
    for rank, standings in standings_across_groups(stage).items():
        yield from row_of(standings, _("rank %(rank)s") % {"rank": rank}, cross=False)


def without_empty_columns(table: SheetTable, *also: str) -> SheetTable:
    """Return the table without empty columns.

    Columns with keys in ``also`` are left out too; without rows no column counts as empty.
    """
    kept = [
        at
        for at, column in enumerate(table.columns)
        if column.key not in also
        and (not table.rows or any(row[at] not in ("", None) for row in table.rows))
    ]
    return replace(
        table,
        columns=tuple(table.columns[at] for at in kept),
        rows=[tuple(row[at] for at in kept) for row in table.rows],
    )


MOST_STAGES = 5
"""Sheets of stages; with the result, the matches and the decks there are eight."""
UPRIGHT = 130
"""Characters of a table that is printed on pages that stand, at seven points or more."""
NOT_HANDED_OUT = ("number", "a", "b", "state", "round")
SAID_ONCE = ("stage", "games_drawn", "ended_by")
"""Columns of the matches that are left out if they say the same of all that were played."""


def standings_workbook(event: Event, *, staff: bool) -> bytes:
    """Return an event's standings as .xlsx, in the active language.

    It is made to be passed on: without drafts, decklists only if public. ``staff``: include
    withheld standings. About eight queries.
    """
    facts = facts_from_rows(event, load_rows(event), drafts=False, held=not staff)
    sight = visible_decklists(Actor(), event)
    source = handout_source(facts, lists=sight.published)
    file = BytesIO()
    book = Workbook(file, deepcopy(OPTIONS))  # which XlsxWriter changes
    sheets = SheetWriter(
        book, heading=event.name, footing=event.head[:32], zone=source.zone, upright=UPRIGHT
    )
    taken: set[str] = set()
    first = book.add_worksheet(sheet_title(_("Result"), taken))
    draw_result_sheet(book, first, facts)
    first.set_footer(sheets.footer)
    for stages in stages_by_sheet(facts):
        title = sheet_title(joined_sheet_title(stages), taken)
        if stages[0].kind.has_table:
            sheets.add(replace(stages_table(source, stages), title=title))
        else:
            sheet = book.add_worksheet(title)
            brackets = [BracketLayout(facts, one) for one in stages]
            draw_bracket_sheet(book, sheet, brackets, MARGINS)
            sheets.print_around(sheet)
    if has_begun_multiplayer_stage(facts):
        sheets.add(_with_title(seats_table(source), _("Tables"), taken, hidden=("round",)))
    if any(stage.matches and not has_multiplayer_tables(stage.plan) for stage in facts.stages):
        sheets.add(_with_title(results_table(source, reporters=False), _("Matches"), taken))
    if sight.published and event.decklists != Event.Decklists.OFF:
        sheets.add(_with_title(decklists_table(source, sight), _("Decklists"), taken))
    book.close()
    return file.getvalue()


def _with_title(
    table: SheetTable, title: str, taken: set[str], hidden: Sequence[str] = NOT_HANDED_OUT
) -> SheetTable:
    """Return a table of the archive workbook as it is handed out."""
    not_printed = [column.key for column in table.columns if not column.printed]
    alike = [key for key in SAID_ONCE if _is_alike(table, key)]
    made = without_empty_columns(table, *not_printed, *hidden, *alike)
    return replace(made, title=sheet_title(title, taken))


def _is_alike(table: SheetTable, key: str) -> bool:
    columns = [column.key for column in table.columns]
    at = columns.index(key) if key in columns else -1
    return at >= 0 and len({row[at] for row in table.rows} - {None, ""}) < 2


def stages_by_sheet(facts: EventFacts) -> list[list[StageFacts]]:
    """Return the begun stages grouped by sheet, at most ``MOST_STAGES`` sheets.

    The latest stages of the same form share one. A single match has no sheet.
    """
    begun = [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
    sheets = [[one] for one in begun if not is_single_match(one)]
    while len(sheets) > MOST_STAGES:
        tables, brackets = (
            [one for one in sheets if one[0].kind.has_table is has] for has in (True, False)
        )
        *_before, last, joined = max(tables, brackets, key=len)
        last += joined
        sheets.remove(joined)
    return sheets


def joined_sheet_title(stages: Sequence[StageFacts]) -> str:
    """Return the sheet title of one or more stages: their names joined."""
    words = " · ".join(translate(one.plan.label) for one in stages)
    return words if len(stages) == 1 or len(words) <= TITLE_SIZE else _("Further stages")
