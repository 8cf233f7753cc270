"""The tables of the open stage as closing it reads them: who goes on, who misses it by what."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import ceil

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.wording import translate
from rules.criteria.of_tables import criterion_of
from rules.results import PlayerId
from rules.scenarios.cut_lines import Zone
from rules.standings.separation import Separation, separation, shares_apart
from rules.standings.table import Standing
from rules.ties.extra_matches import criterion_named
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry
from tournaments.players.acts import DISQUALIFIED, WITHDRAWN
from tournaments.stages.selectors import next_stages
from tournaments.standings.selectors.proofs import number, points_apart
from tournaments.standings.selectors.rows import LEAVERS, Column, StandingRow
from tournaments.standings.selectors.standings import StandingsTable, stage_standings

SHOWN = 15
"""Rows shown at least; the others fold."""
BELOW = 6
"""Rows shown at least below the line."""
LEAST_SHOWN = Fraction(1, 1000)
"""The least difference of two shares that can be seen in a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutRow:
    """A player above or below the line between those who advance and those who do not.

    ``goes`` says where the player goes on to, "" for who does not; ``words`` what decides it.
    ``figures`` are the values of the criteria, each with whether it is the one that decides.
    """

    row: StandingRow
    zone: str
    goes: str
    words: str
    figures: tuple[tuple[str, bool], ...]
    no_list: bool
    line: str = ""

    @property
    def left(self) -> bool:
        """Return whether the player has left."""
        return self.row.entry.status in LEAVERS


@dataclass(frozen=True, slots=True, kw_only=True)
class CutTable:
    """A table of standings with its cut line; ``rest`` are the rows folded away."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[CutRow, ...]
    rest: tuple[CutRow, ...]

    @property
    def wide(self) -> int:
        """Return the number of columns of the table."""
        return len(self.columns) + 4

    @property
    def gone(self) -> tuple[AnyEntry, ...]:
        """Return the players among the folded rows who have left."""
        return tuple(each.row.entry for each in self.rest if each.left)


def cut_tables(facts: EventFacts, current: StageFacts, *, asks: bool) -> tuple[CutTable, ...]:
    """Return the tables of the open stage with the line; () for a bracket.

    ``asks``: who goes on must have a decklist. One query if players have left.
    """
    goes = _destinations(facts, current)
    left = _times_of_leaving(facts, current)
    shown = next(each for each in stage_standings(facts) if each.id == _table_id(current))
    return tuple(_cut_table(facts, table, goes, left, asks) for table in shown.tables)


def _table_id(stage: StageFacts) -> str:
    return f"stage-{stage.stage.number}"


def _destinations(facts: EventFacts, current: StageFacts) -> dict[PlayerId, str]:
    """Return the words for where each player goes on to; empty until the places are known."""
    if not current.outcome.places:
        return {}
    held = {player: name for name, player in current.outcome.places.items()}
    found = {}
    for player, index in next_stages(facts, current).items():
        if player not in held:
            continue
        plan = facts.stages[index].plan
        kind, _sep, number = held[player].partition(" ")
        group = next((g.name for g in plan.groups if held[player] in g.seats), "")
        if kind == "seed":
            found[player] = _("seed %(number)s") % {"number": number}
        elif len(plan.groups) > 1 and group:
            found[player] = _("to “%(stage)s”") % {"stage": group_label(plan, group)}
        elif index > current.stage.number:
            found[player] = _("straight to “%(stage)s”") % {"stage": translate(plan.label)}
        else:
            found[player] = _("goes on")
    return found


def _times_of_leaving(facts: EventFacts, current: StageFacts) -> dict[PlayerId, str]:
    """Return the words for when each player of the stage left; one query, none if nobody did."""
    entries = [facts.entries[player] for player in current.state.players]
    gone = [entry for entry in entries if entry.status in LEAVERS]
    if not gone:
        return {}
    lines = facts.event.log.filter(action__in=(WITHDRAWN.key, DISQUALIFIED.key)).order_by("number")
    last = {after.get("number"): at for after, at in lines.values_list("after", "at")}
    return {entry.number: _left_when(facts, entry, last.get(entry.number)) for entry in gone}


def _left_when(facts: EventFacts, entry: AnyEntry, at: datetime | None) -> str:
    if entry.status == Entry.Status.DISQUALIFIED or at is None:
        return entry.get_status_display().lower()
    local = timezone.localtime(at, facts.event.zone)
    if local.date() == timezone.localtime(timezone=facts.event.zone).date():
        return _("left at %(time)s") % {"time": date_format(local, "H:i")}
    return _("left on %(day)s") % {"day": date_format(local, "j F, H:i")}


def _cut_table(
    facts: EventFacts,
    table: StandingsTable,
    goes: Mapping[PlayerId, str],
    left: Mapping[PlayerId, str],
    asks: bool,
) -> CutTable:
    rows = tuple(_cut_rows(facts, table, goes, left, asks))
    through = [at for at, each in enumerate(rows) if each.zone == Zone.THROUGH]
    shown = max(SHOWN, (through[-1] if through else 0) + 1 + BELOW)
    if len(rows) <= shown + 2:
        shown = len(rows)
    return CutTable(
        id=table.id,
        caption=table.caption,
        columns=table.columns,
        rows=rows[:shown],
        rest=rows[shown:],
    )


def _cut_rows(
    facts: EventFacts,
    table: StandingsTable,
    goes: Mapping[PlayerId, str],
    left: Mapping[PlayerId, str],
    asks: bool,
) -> Iterator[CutRow]:
    standings = table.standings.rows if table.standings else ()
    criteria = tuple(facts.event.criteria)
    through = [at for at, row in enumerate(table.rows) if row.zone is Zone.THROUGH]
    last = through[-1] if through else -1
    places = len(through)
    marked: dict[int, str] = {}
    words: dict[int, str] = {}
    for at, row in enumerate(table.rows):
        number = row.entry.number
        if number in left:
            would = at < places or at < last
            words[at] = _("%(left)s: does not go on") if would else "%(left)s"
            words[at] %= {"left": left[number]}
        elif row.zone is Zone.THROUGH:
            words[at] = _whose_leaving_lets_in(table.rows, at, places)
        elif row.zone is Zone.MAYBE:
            words[at] = goes.get(number) or _("compared with those of the other groups")
        elif last >= 0:
            found = separation(standings, criteria, last, at)
            shown = found and _as_the_table_shows(found, standings[last], standings[at])
            words[at] = behind_in_words(shown, table.rows[last].entry.display_name)
            if found:
                marked[at] = found.criterion
                marked.setdefault(last, found.criterion)
    for at, (row, standing) in enumerate(zip(table.rows, standings, strict=True)):
        yield CutRow(
            row=row,
            zone=str(row.zone or ""),
            goes=goes.get(row.entry.number, "") if row.zone is Zone.THROUGH else "",
            words=words.get(at, ""),
            figures=_marked_figures(row, standing, marked.get(at, "")),
            no_list=asks and row.zone is Zone.THROUGH and row.entry.submission_id is None,
            line=_line_in_words(table, places, last)
            if at == last and at + 1 < len(table.rows)
            else "",
        )


def _marked_figures(
    row: StandingRow, standing: Standing, decides: str
) -> tuple[tuple[str, bool], ...]:
    return tuple(
        (value, key == decides) for key, value in zip(standing.columns, row.values, strict=True)
    )


def _whose_leaving_lets_in(rows: Sequence[StandingRow], at: int, places: int) -> str:
    """Return whose leaving lets the player at a position in, "" without one."""
    if at < places:
        return ""
    gone = [row.entry.display_name for row in rows[:at] if row.entry.status in LEAVERS]
    values = {"names": ", ".join(gone)}
    return _("comes in for %(names)s") % values if gone else ""


def _line_in_words(table: StandingsTable, places: int, last: int) -> str:
    words = ngettext("%(number)s goes on", "%(number)s go on", places) % {"number": places}
    start = _("The line")
    level = last + 1 < len(table.rows) and table.rows[last].rank == table.rows[last + 1].rank
    return " · ".join([start, words, *([_("level on the line")] if level else [])])


def _as_the_table_shows(found: Separation, better: Standing, worse: Standing) -> Separation:
    if found.by and criterion_of(found.criterion).percentage:
        return found._replace(by=shares_apart(better, worse, found.criterion) or found.by)
    return found


def behind_in_words(found: Separation | None, name: str) -> str:
    """Return in words what separates a player from ``name``, the last who goes on."""
    if found is None:
        return _("level with %(name)s in everything") % {"name": name}
    criterion = criterion_named(found.criterion)
    if not found.by:
        values = {"name": name, "criterion": translate(criterion.label)}
        return _("%(criterion)s: behind %(name)s") % values
    values = {"name": name, "criterion": translate(criterion.short)}
    size = abs(found.by)
    values["value"] = number(size)
    if found.criterion == "points":
        return ngettext("%(value)s point fewer", "%(value)s points fewer", ceil(size)) % values
    if criterion.percentage:
        values["value"] = points_apart(max(size, LEAST_SHOWN))
        if size < LEAST_SHOWN:
            values["value"] = f"< {values['value']}"
        fewer = _("%(criterion)s: %(value)s percentage points less than %(name)s")
        more = _("%(criterion)s: %(value)s percentage points more than %(name)s")
    else:
        fewer = _("%(value)s %(criterion)s fewer than %(name)s")
        more = _("%(value)s %(criterion)s more than %(name)s")
    return (fewer if found.by < 0 else more) % values
