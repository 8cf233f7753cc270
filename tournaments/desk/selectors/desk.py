"""The desk: the round in progress, what blocks the next step, the one next step, the players before
a round, and the choice between two entries of one result.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import Outcome, PlayerId
from rules.ties.decisions import Classes
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label, round_name, stage_name_unless_in_label
from tournaments.core.mapping import report_from_outcome
from tournaments.core.names import surname_sort_key
from tournaments.core.permissions import DeskRights
from tournaments.core.replays import (
    Replay,
    count_missing_results,
    count_open_tables,
    latest_published_round,
    matches_in_play,
    pending_replays,
)
from tournaments.core.rows import AnyRound, EntryRow
from tournaments.desk.selectors.closing import finishing_disclosures
from tournaments.matches.selectors import describe_table, player_names
from tournaments.matches.words import reporter_name, result_with_names
from tournaments.models import Entry, Event, Match, Round
from tournaments.rounds.selectors.desk_rows import (
    DeskRow,
    desk_rows_by_table,
    has_reports,
    load_round_reports,
    round_desk_rows,
)

NAMED = 12
LONG = 64
"""Rows from which a list has fewer ways in each of them, as the panel of the table has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """A reason why the next step is blocked.

    ``kind``: draft, disputed, reported, missing or lots (a tie). ``items``: (text, URL or "", table
    or ""). ``more``: number of tables that are not listed.
    """

    kind: str
    heading: str
    items: tuple[tuple[str, str, str], ...] = ()
    more: int = 0


def next_step_obstacles(
    facts: EventFacts, stage: StageFacts | None, rows: tuple[DeskRow, ...]
) -> tuple[Obstacle, ...]:
    """Return the obstacles to the next round or stage.

    ``rows``: the tables of the round in progress.
    """
    if stage is None:
        return ()
    draft, home = _draft_block(stage), reverse("tournaments:desk", args=[facts.event.slug])
    found = (
        draft,
        _tables_block("disputed", _("To decide"), home, [row for row in rows if row.is_disputed]),
        _tables_block("reported", _("To accept"), home, [row for row in rows if row.is_reported]),
        None
        if draft
        else _tables_block("missing", _("Playing"), home, [r for r in rows if r.is_open]),
        _tie_block(facts, stage),
    )
    return tuple(block for block in found if block is not None)


def _draft_block(stage: StageFacts) -> Obstacle | None:
    last = stage.last_round
    if last is None or last.state != Round.State.DRAFT:
        return None
    heading = ": ".join([_("Round %(number)s") % {"number": last.ordinal}, _("Draft")])
    return Obstacle(kind="draft", heading=heading)


def _tables_block(kind: str, heading: str, home: str, rows: list[DeskRow]) -> Obstacle | None:
    """Return the block of tables that wait for one thing, None without any."""
    items = tuple(
        (_table_with_names(row), f"{home}#row-{row.match.pk}", str(row.table or row.match.number))
        for row in rows[:NAMED]
    )
    if not rows:
        return None
    words, more = f"{heading}: {len(rows)}", len(rows) - len(items)
    return Obstacle(kind=kind, heading=words, items=items, more=more)


def _tie_block(facts: EventFacts, stage: StageFacts) -> Obstacle | None:
    items = tuple(
        (" = ".join(str(facts.entries[number]) for number in tied), "", "")
        for tied in _undecided_ties(stage)
    )
    heading = _("Tied players")
    return Obstacle(kind="lots", heading=heading, items=items) if items else None


def _undecided_ties(stage: StageFacts) -> Classes:
    open_rounds = {match.round_id for match in stage.missing}
    playing = [
        set(level)
        for item in stage.extra_rounds
        if item.pk in open_rounds
        for level in item.level_sets
    ]
    return tuple(tied for tied in stage.outcome.lots_needed if set(tied) not in playing)


def _table_with_names(row: DeskRow) -> str:
    place = row.table or row.match.number
    return ": ".join([_("Table %(table)s") % {"table": place}, row.names])


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """The desk's main button: a link, or a form if ``post``.

    ``expected_round``: ordinal of the round that it drafts, 0 for none. ``why_not``: why it is
    disabled, or "". ``public``: names of what becomes public by it.
    """

    label: str
    url: str
    post: bool = False
    expected_round: int = 0
    why_not: str = ""
    public: tuple[str, ...] = ()


def next_step(facts: EventFacts, stage: StageFacts | None, rights: DeskRights) -> NextStep | None:
    """Return the next step of the open stage or, without one, of the event.

    None unless the event is running, and without the right to run rounds. Finishing the event is
    shown to all staff, disabled for those who may not.
    """
    event, slug = facts.event, facts.event.slug
    if event.state != Event.State.RUNNING:
        return None
    if stage is None:
        return _finish_step(
            facts, "" if rights.manage else _("Only the organiser can finish the event.")
        )
    if not rights.run:
        return None
    last = stage.last_round
    if last is not None and last.state == Round.State.DRAFT:
        return NextStep(
            label=_("Review the draft"),
            url=reverse("tournaments:desk-round", args=[slug, last.ordinal]),
        )
    waiting = ""
    if missing := count_missing_results(stage):
        waiting = _("Results missing: %(count)s") % {"count": missing}
    if not stage.rounds_done:
        number = facts.last_ordinal + 1
        name = round_name(stage.state, len(stage.regular_rounds) + 1)
        if event.paired_elsewhere and stage.kind.pairs_by_points:
            return NextStep(
                label=_("Paste the pairings of round %(number)s") % {"number": number},
                url=reverse("tournaments:desk-pairings", args=[slug]),
                why_not=waiting,
            )
        return NextStep(
            label=_("Prepare “%(round)s”") % {"round": name}
            if name
            else _("Prepare round %(number)s") % {"number": number},
            url=reverse("tournaments:desk-draft", args=[slug]),
            post=True,
            expected_round=number,
            why_not=waiting,
        )
    if stage.outcome.lots_needed:
        return NextStep(
            label=_("Decide between tied players"),
            url=reverse("tournaments:lots", args=[slug]),
            why_not=waiting,
        )
    is_last = stage.stage.number == len(facts.stages)
    if is_last and rights.manage:
        return _finish_step(facts, waiting)
    return NextStep(
        label=_("Close the last stage") if is_last else _("Who advances"),
        url=reverse("tournaments:advance", args=[slug]),
        why_not=waiting,
    )


def _finish_step(facts: EventFacts, why_not: str) -> NextStep:
    return NextStep(
        label=_("Finish the event"),
        url=reverse("tournaments:desk-finish", args=[facts.event.slug]),
        post=True,
        why_not=why_not,
        public=tuple(each.name for each in finishing_disclosures(facts) if each.changes),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Content of the desk's page: the round in progress and what can be done next.

    ``rows``: tables of ``round``; ``since``: primary key of the latest report; ``blocks``:
    obstacles to ``step``; ``second_leg``: its stage, rounds and minutes if one can be added;
    ``former``: ordinals of the other published rounds; ``replays``: matches still to be replayed;
    ``can_start_over``: the round can be discarded with its results; ``pastes_more``: pairings of
    one more round than planned may be pasted.
    """

    stage: StageFacts | None
    stage_label: str
    round: AnyRound | None
    round_label: str
    rows: tuple[DeskRow, ...]
    since: int
    blocks: tuple[Obstacle, ...]
    step: NextStep | None
    second_leg: dict[str, Any] | None
    former: tuple[int, ...]
    last_ordinal: int
    replays: tuple[Replay, ...]
    can_take_back_round: bool
    can_start_over: bool
    can_reopen_stage: bool
    pastes_more: bool = False

    @property
    def shape(self) -> str:
        """Return the round, and how many matches stand beside it: a page of others is outdated."""
        beside = sum(row.match.round_id != self.round.pk for row in self.rows if self.round)
        return f"{self.round.ordinal if self.round else 0}" + (f"+{beside}" if beside else "")

    @property
    def by_points(self) -> bool:
        """Return whether the round's results are promotion points."""
        return any(row.by_points for row in self.rows)

    @property
    def seated(self) -> tuple[DeskRow, ...]:
        """Return the rows with a table."""
        return tuple(row for row in self.rows if row.table is not None)

    @property
    def listed(self) -> tuple[DeskRow, ...]:
        """Return the rows of the list: all but the resting ones."""
        return tuple(row for row in self.rows if row.table is not None or not row.is_final)

    @property
    def long(self) -> bool:
        """Return whether the list is so long that its rows are shown in short form."""
        return len(self.listed) > LONG

    @property
    def resting(self) -> tuple[DeskRow, ...]:
        """Return the byes, forfeits and missed rounds, which need no row."""
        return tuple(row for row in self.rows if row.table is None and row.is_final)

    @property
    def marks(self) -> str:
        """Return "KEY=MARK" of all listed rows, by which a page notices outdated ones."""
        return " ".join(f"{row.match.pk}={row.mark}" for row in self.listed)

    @property
    def tables(self) -> int:
        """Return the number of tables; byes and forfeits have none."""
        return len(self.seated)

    @property
    def waiting(self) -> int:
        """Return the number of tables without a final result."""
        return count_open_tables(self.stage) if self.stage else 0

    @property
    def to_decide(self) -> int:
        """Return the number of tables that wait for the staff: reported, disputed, called."""
        return sum(row.needs_staff for row in self.seated)

    @property
    def done(self) -> int:
        """Return the number of tables with a final result."""
        return sum(row.is_final for row in self.seated)


def desk_content(facts: EventFacts, rights: DeskRights, called: Collection[int] = ()) -> Desk:
    """Return the content of the desk; one query.

    ``called``: primary keys of the matches whose players called a judge.
    """
    stage = facts.open_stage
    shown = stage or (facts.stages[-1] if facts.stages else None)
    item = latest_published_round(shown) if shown else None
    playing = matches_in_play(shown) if shown else ()
    beside = {each.match.pk for each in playing if each.beside}
    reports = load_round_reports(item, beside)
    rows = desk_rows_by_table(facts, shown, playing, reports, called) if shown else ()
    of_round = {key: found for key, found in reports.items() if key not in beside}
    label = round_label(shown, item) if shown and item else ""
    published = [each for each in facts.rounds if each.state == Round.State.PUBLISHED]
    return Desk(
        stage=shown,
        stage_label=stage_name_unless_in_label(translate(shown.plan.label), label) if shown else "",
        round=item,
        round_label=label,
        rows=rows,
        since=max((each[-1].pk for each in reports.values()), default=0),
        blocks=next_step_obstacles(facts, stage, rows),
        step=next_step(facts, stage, rights),
        second_leg=_second_leg(facts.event, stage) if stage and rights.run else None,
        former=tuple(other.ordinal for other in published if other != item),
        last_ordinal=facts.last_ordinal,
        replays=pending_replays(facts),
        pastes_more=bool(stage and rights.rule and _may_paste_more(facts, stage)),
        can_take_back_round=bool(
            stage and stage.rounds and rights.run and not has_reports(of_round)
        ),
        can_start_over=bool(stage and stage.rounds and rights.manage and has_reports(of_round)),
        can_reopen_stage=bool(
            stage and not stage.rounds and stage.stage.number > 1 and rights.manage
        ),
    )


def _may_paste_more(facts: EventFacts, stage: StageFacts) -> bool:
    here = facts.event.paired_elsewhere and stage.kind.pairs_by_points and stage.rounds_done
    last = stage.last_round
    made = last is not None and last.state != Round.State.DRAFT
    return here and made and not count_missing_results(stage) and not stage.extra_rounds


def _second_leg(event: Event, stage: StageFacts) -> dict[str, Any] | None:
    possible = stage.kind.all_meet and not stage.plan.one_leg_only
    decided = stage.stage.legs != 1 or stage.extra_rounds or any(stage.lots)
    if not possible or decided or not stage.rounds:
        return None
    rounds = stage.total_rounds
    return {"stage": stage.stage.number, "rounds": rounds, "minutes": rounds * event.minutes}


def desk_row(facts: EventFacts, desk: Desk, match: Match) -> DeskRow | None:
    """Return the row of a match at the desk, None if its round was deleted.

    No query for a match on the desk, else one.
    """
    found = next((row for row in desk.rows if row.match.pk == match.pk), None)
    place = None if found else facts.round_at(match.round.ordinal)
    if place is None:
        return found
    rows = round_desk_rows(facts, *place, load_round_reports(place[1]))
    return next((row for row in rows if row.match.pk == match.pk), None)


def rows_changed_since(desk: Desk, since: int) -> tuple[DeskRow, ...]:
    """Return the rows that a polling page may lack.

    Those with a report newer than the report with primary key ``since``, open ones with a time
    extension, and those where players called a judge.
    """
    return tuple(
        row
        for row in desk.listed
        if row.changed > since or row.called or (row.match.extra_minutes and not row.is_final)
    )


def players_before_round(stage: StageFacts, entries: Mapping[PlayerId, EntryRow]) -> dict[str, Any]:
    """Return a stage's players by surname, to see before its first round who is missing.

    Keys: ``players`` (active), ``here`` (number checked in), ``missing`` (active, not checked in),
    ``gone`` (dropped).
    """
    seated = [entries[player] for player in stage.state.players]
    plays = [entry for entry in seated if entry.plays]
    missing = [entry for entry in plays if entry.status != Entry.Status.CHECKED_IN]
    return {
        "players": tuple(sorted(plays, key=surname_sort_key)),
        "here": len(plays) - len(missing),
        "missing": tuple(sorted(missing, key=surname_sort_key)),
        "gone": tuple(sorted((e for e in seated if not e.plays), key=surname_sort_key)),
    }


def result_conflict(match: Match, wanted: Outcome) -> dict[str, Any]:
    """Return the stored result of a match and the different one just typed; two queries.

    ``wanted``: the typed one. The dict has both as text, ``sentence`` that asks to choose, and who
    stored the first when.
    """
    names = player_names(match)
    last = match.reports.select_related("by", "by_entry").order_by("-version").first()
    return {
        "match": match,
        "sentence": _("%(table)s already has a different result. Choose one.")
        % {"table": describe_table(match)},
        "stored": result_with_names(last, *names) if last else "",
        "stored_by": reporter_name(last) if last else "",
        "stored_at": last.at if last else None,
        "typed": result_with_names(report_from_outcome(wanted), *names),
    }
