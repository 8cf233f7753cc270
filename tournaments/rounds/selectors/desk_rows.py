"""Tables of a round as rows, for the desk and for review, and the page of a round."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from config.wording import translate
from decks.decklists.selectors import sentence_from_json
from rules.drafts.given import ELSEWHERE
from rules.matches.agreement import required_report_count
from rules.matches.match_rules import MatchRules, result_presets
from rules.matches.shorthand import format_shorthand
from rules.people.person_names import join_names
from rules.plans import StagePlan
from rules.results import Outcome, SeatMark
from rules.stages import stage_kind
from rules.stages.base import has_multiplayer_tables
from rules.swiss.rounds import LEVEL
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.formulas import awards_points_by_place
from tournaments.core.labels import (
    final_label,
    group_label_in_round,
    ordinal,
    round_label,
    stage_name_unless_in_label,
    table_place_labels,
)
from tournaments.core.mapping import match_rules_without_marks, outcome_from_report
from tournaments.core.names import initial_and_surname, width_in_characters
from tournaments.core.replays import MatchInPlay, shared_tables
from tournaments.core.rows import AnyEntry, AnyMatch, AnyReport, AnyRound
from tournaments.matches.selectors import (
    PlayersByAccount,
    match_stamp,
    players_by_account,
    reports_by_player,
)
from tournaments.matches.words import (
    first_and_other_names,
    reporter_name,
    result_with_ending,
    result_with_names,
    seat_mark_label,
    seat_names,
)
from tournaments.models import Event, Match, Report, Stage


def preset_buttons(rules: MatchRules) -> tuple[tuple[str, str], ...]:
    """Return (key, label) of the result buttons in a desk row, player a's best first.

    For a single game these are both wins and the draw, else all wins and the draw with most games.
    """
    keys = {preset.key for preset in result_presets(rules)}
    if rules.best_of == 1:
        labels = {"1-0": "1–0", "0-0-1": _("A draw"), "0-1": "0–1"}
        return tuple((key, label) for key, label in labels.items() if key in keys)
    lost = range(rules.needed)
    order = [f"{rules.needed}-{games}" for games in lost]
    order.append(f"{rules.needed - 1}-{rules.needed - 1}")
    order += [f"{games}-{rules.needed}" for games in reversed(lost)]
    return tuple((key, key.replace("-", "–")) for key in order if key in keys)


LONGEST, LONGEST_WORD = 16, 8
"""Signs of a name, and of each of its words, that have room in one of five seats of a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatCell:
    """A seat at a multiplayer table; ``words`` is its player's result as one word.

    ``short`` is an abbreviated name. ``tone`` is "won", "drawn", "away" (doesn't play), "claimed"
    (by an unconfirmed report), "disputed" or "".
    """

    number: int
    name: str
    words: str
    tone: str
    short: str = ""


def seat_cells(
    match: AnyMatch, names: Sequence[str], players: Sequence[AnyEntry], claims: Sequence[Report]
) -> tuple[SeatCell, ...]:
    """Return the seats of a multiplayer table, () for a match of two.

    ``names`` and ``players`` are by seat; ``claims`` are the reports of an undecided match, oldest
    first.
    """
    if match.size < 3:
        return ()
    decision = match.decision if match.state == Match.State.FINAL else None
    told = [
        outcome_from_report(report, match.size) for report in ([decision] if decision else claims)
    ]
    disputed = match.state == Match.State.DISPUTED
    cells = (
        SeatCell(number=seat, name=name, words=away, tone="away")
        if decision is None and (away := _away(match, player))
        else _cell(seat, name, told, disputed=disputed, final=decision is not None)
        for seat, (name, player) in enumerate(zip(names, players, strict=True), start=1)
    )
    short = [_short(name, player) for name, player in zip(names, players, strict=True)]
    return tuple(
        replace(cell, short=name if short.count(name) == 1 else cell.name)
        for cell, name in zip(cells, short, strict=True)
    )


def _short(name: str, player: AnyEntry) -> str:
    """Return a long name with the initial of the given name: the surname is never cut off."""
    fits = (
        width_in_characters(name) <= LONGEST
        and max(map(width_in_characters, name.split())) <= LONGEST_WORD
    )
    return name if fits else initial_and_surname(player)


def _away(match: AnyMatch, player: AnyEntry) -> str:
    """Return why somebody does not play at an open table, "" if they do."""
    if player.number in match.absent:
        return seat_mark_label(SeatMark.ABSENT)
    return "" if player.plays else _("no longer plays")


def _cell(
    seat: int, name: str, told: Sequence[Outcome], *, disputed: bool, final: bool
) -> SeatCell:
    if disputed:
        first = any(each.places[seat - 1] == 1 for each in told)
        return SeatCell(number=seat, name=name, words="", tone="disputed" if first else "")
    words, tone = _words(seat, told[-1]) if told else ("", "")
    if tone in ("won", "drawn") and not final:
        tone = "claimed"
    return SeatCell(number=seat, name=name, words=words, tone=tone)


def _words(seat: int, outcome: Outcome) -> tuple[str, str]:
    """Return what became of a seat in a word, and its tone."""
    mark = dict(outcome.marks).get(seat)
    if mark is not None:
        return seat_mark_label(mark), "away"
    if not outcome.counts:
        return "", ""
    place, present = outcome.places[seat - 1], [each for each in outcome.places if each]
    alone = present.count(1) == 1
    tone = ("won" if alone else "drawn") if place == 1 else ""
    if len({*present}) > 2 and place:
        return ordinal(place), tone
    return {"won": _("Winner"), "drawn": _("draw")}.get(tone, ""), tone


def disputed_results(
    match: AnyMatch, names: Sequence[str], claims: Sequence[Report]
) -> tuple[dict[str, Any], ...]:
    """Return the different results reported in a dispute at a multiplayer table.

    Each is {"report", "typed": shorthand, "words"}; () for other matches.
    """
    if match.size < 3 or match.state != Match.State.DISPUTED:
        return ()
    last = {outcome_from_report(report, match.size): report for report in claims}
    return tuple(
        {
            "report": report,
            "typed": format_shorthand(outcome),
            "words": result_with_names(report, *names),
        }
        for outcome, report in last.items()
    )


def agreement_text(
    match: AnyMatch,
    players: Sequence[AnyEntry],
    reports: Sequence[Report],
    accounts: PlayersByAccount,
) -> str:
    """Return "Agreed: 2 of 3" for a reported multiplayer table, else "".

    Before a report it is "Present: 3 of 4" if a player has dropped or is absent.
    """
    seated = [player for player in players if player.plays and player.number not in match.absent]
    if match.size > 2 and match.state == Match.State.OPEN and len(seated) < match.size:
        return _("Present: %(there)s of %(all)s") % {"there": len(seated), "all": match.size}
    if match.size < 3 or match.state != Match.State.REPORTED:
        return ""
    agreed = len({*_speakers(seated, reports, accounts)})
    missing = max(required_report_count(match.size, range(match.size - len(seated))) - agreed, 1)
    return _("Agreed: %(agreed)s of %(needed)s") % {"agreed": agreed, "needed": agreed + missing}


def _speakers(
    seated: Sequence[AnyEntry], reports: Sequence[Report], accounts: PlayersByAccount
) -> Iterator[int]:
    for player, report in reports_by_player({one.pk for one in seated}, reports, accounts):
        if report.kind in (Report.Kind.REPORT, Report.Kind.CONFIRMATION):
            yield player


class TableTurn(NamedTuple):
    """The turn of a match at a table that several matches share, one after the other.

    ``turn``: its number, from 1; ``short``: the number as text; ``words``: who else plays there.
    """

    short: str
    words: str
    turn: int

    @property
    def mark(self) -> str:
        """Return a marker by which a page finds that its row is outdated."""
        return f"s{self.turn}"


def table_turns(
    matches: Iterable[MatchInPlay], entries: Mapping[int, AnyEntry]
) -> dict[int, TableTurn]:
    """Return {match key: turn} for matches that share a table; no query.

    ``entries`` are by primary key.
    """
    found = {}
    for together in shared_tables(matches).values():
        pairs = [
            "–".join(entries[key].display_name for key in each.match.seats) for each in together
        ]
        for at, each in enumerate(together):
            others = ", ".join(pair for other, pair in enumerate(pairs) if other != at)
            words = _("Same table: %(names)s") % {"names": others}
            found[each.match.pk] = TableTurn(short=f"{at + 1}.", words=words, turn=at + 1)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRow:
    """A match in the desk's table of a round.

    ``presets`` are result buttons as (key, label). ``bracket`` names its bracket or final, or its
    round if it is played beside a later one. ``claims`` are both results of a dispute, from a's
    side. ``called``: a judge is called. ``left`` are the seats (letters, "a" first) of dropped and
    absent players, ``leaving`` of those who drop after the round. ``usual``: paired for equal
    points. ``seats``, ``agreed``, ``versions`` and ``by_place`` (points by place) are of
    multiplayer tables. ``closed``: the stage is closed, so nobody can drop here.
    """

    match: AnyMatch
    table: int | None
    group: str
    bracket: str
    a: str
    b: str
    result: str
    winner: str
    reported: str
    report: Report | None
    changed: int
    by_points: bool
    presets: tuple[tuple[str, str], ...]
    reason: str
    claims: tuple[str, ...] = ()
    called: bool = False
    left: str = ""
    leaving: str = ""
    usual: bool = False
    single: bool = False
    numbers: tuple[int, ...] = ()
    seats: tuple[SeatCell, ...] = ()
    players: tuple[str, ...] = ()
    agreed: str = ""
    versions: tuple[dict[str, Any], ...] = ()
    by_place: bool = False
    sharing: TableTurn | None = None
    closed: bool = False

    @property
    def places(self) -> str:
        """Return the places that the seats of an order can have, as "1st 2nd 3rd"."""
        return " ".join(words for _place, words in table_place_labels(len(self.seats)))

    @property
    def names(self) -> str:
        """Return the names of the players as one text."""
        return join_names(self.players)

    @property
    def mark(self) -> str:
        """Return a marker of the row's state, by which a page finds that its row is outdated."""
        match = self.match
        return (
            f"{match.version}{match.state[:2]}{match.extra_minutes}{self.left}{self.leaving.upper()}"
            f"{'c' if self.called else ''}{'x' if self.closed else ''}t{self.table or 0}"
            f"{self.sharing.mark if self.sharing else ''}"
        )

    @property
    def shown(self) -> str:
        """Return the table in its round and the players' numbers, for `check_match_stamp`."""
        return match_stamp(self.match.table, *self.numbers)

    @property
    def css_classes(self) -> str:
        """Return the CSS classes of a row that waits for a judge, or has extra time."""
        late = bool(self.match.extra_minutes) and not self.is_final
        return (" called" if self.called else "") + (" late" if late else "")

    @property
    def by(self) -> str:
        """Return the name of the author of the latest report."""
        return reporter_name(self.report) if self.report else ""

    @property
    def is_final(self) -> bool:
        """Return whether the result counts."""
        return self.match.state == Match.State.FINAL

    @property
    def is_worded(self) -> bool:
        """Return whether the result is a whole sentence, which phones show on a line of its own."""
        return any(sign.isalpha() for sign in self.result)

    @property
    def is_disputed(self) -> bool:
        """Return whether the reports of the two players differ."""
        return self.match.state == Match.State.DISPUTED

    @property
    def is_reported(self) -> bool:
        """Return whether one player has reported, and nobody has objected."""
        return self.match.state == Match.State.REPORTED

    @property
    def is_open(self) -> bool:
        """Return whether nothing was reported."""
        return not (self.is_final or self.is_disputed or self.is_reported)

    @property
    def needs_staff(self) -> bool:
        """Return whether somebody of the staff has to look."""
        return self.is_disputed or self.is_reported or (self.called and not self.is_final)


ReportsByMatch = Mapping[int, Sequence[Report]]
"""The reports of each match of a round by its primary key, the latest last."""


def load_round_reports(round_: AnyRound | None, also: Collection[int] = ()) -> ReportsByMatch:
    """Return {match key: reports, oldest first} of a round; one query.

    ``also`` are keys of further matches. {} for round None.
    """
    found: dict[int, list[Report]] = defaultdict(list)
    if round_ is not None:
        wanted = (
            Q(match__round=round_.pk) | Q(match__in=also) if also else Q(match__round=round_.pk)
        )
        reports = Report.objects.filter(wanted).order_by("pk")
        for report in reports.select_related("by", "by_entry"):
            found[report.match_id].append(report)
    return found


def round_desk_rows(
    facts: EventFacts, stage: StageFacts, round_: AnyRound, reports: ReportsByMatch
) -> tuple[DeskRow, ...]:
    """Return the desk rows of a round's matches, by table. Queries as `desk_rows_by_table`."""
    matches = (MatchInPlay(round_, match, beside=False) for match in stage.matches_of(round_))
    return desk_rows_by_table(facts, stage, matches, reports)


def desk_rows_by_table(
    facts: EventFacts,
    stage: StageFacts,
    matches: Iterable[MatchInPlay],
    reports: ReportsByMatch,
    called: Collection[int] = (),
) -> tuple[DeskRow, ...]:
    """Return the desk rows of matches by table; byes and forfeits last.

    ``reports`` are by match; ``called`` are the keys of matches with an open judge call. One query
    if players at multiplayer tables reported by account, else none.
    """
    entries = facts.entries_by_pk
    groups = {group.pk: group.name for group in stage.groups}
    every = chain.from_iterable(reports.values()) if has_multiplayer_tables(stage.plan) else ()
    accounts = players_by_account(entries, every)
    matches = tuple(matches)
    sharing = table_turns(matches, entries)
    rows = [
        build_desk_row(
            facts.event,
            stage.plan,
            match,
            [entries[key] for key in match.seats],
            group_label_in_round(stage, item, match, groups[match.group_id]),
            reports.get(match.pk, ()),
            accounts,
            named=len(item.level_sets) > 1,
            called=match.pk in called,
            beside=item.ordinal if beside else 0,
            sharing=sharing.get(match.pk),
            closed=stage.stage.state == Stage.State.CLOSED,
        )
        for item, match, beside in matches
    ]
    return tuple(sorted(rows, key=lambda row: (row.table is None, row.table or row.match.number)))


def build_desk_row(
    event: Event,
    plan: StagePlan,
    match: AnyMatch,
    players: Sequence[AnyEntry],
    group: str,
    reports: Sequence[Report],
    accounts: PlayersByAccount,
    *,
    named: bool = False,
    called: bool = False,
    beside: int = 0,
    sharing: TableTurn | None = None,
    closed: bool = False,
) -> DeskRow:
    """Return the desk row of a match.

    ``players`` are by seat, ``reports`` oldest first. ``named`` displays the group; ``beside`` is
    the number of the match's own round if it is played beside a later one, else 0; ``closed``: its
    stage is closed.
    """
    names = seat_names([player.display_name for player in players])
    a, b = first_and_other_names(names)
    rules = match_rules_without_marks(match, event, timed=plan.timed)
    report = reports[-1] if reports else None
    told = [each for each in reports if each.kind == Report.Kind.REPORT]
    undecided = match.state in (Match.State.REPORTED, Match.State.DISPUTED)
    claimed = told[-1] if told and undecided else None
    decision, sides = match.decision, [*zip("abcde", players, strict=False)]
    earlier = _("Round %(number)s") % {"number": beside} if beside else ""
    reason = sentence_from_json(match.reason) if match.reason else None
    where = group if named or stage_kind(plan).two_brackets else final_label(plan, match.number)
    return DeskRow(
        match=match,
        table=match.plays_at if beside else match.table,
        group=group,
        bracket=" · ".join(filter(None, (earlier, where))),
        a=a,
        b=b,
        result=_in_short(decision, names),
        winner=decision.winner if decision else "",
        reported=_in_short(claimed, names),
        report=report,
        changed=report.pk if report else 0,
        by_points=rules.by_points,
        single=rules.best_of == 1 and rules.size == 2 and not rules.by_points,
        presets=() if decision else preset_buttons(rules),
        reason=translate(reason) if reason and reason.template != ELSEWHERE.template else "",
        usual=reason is not None and reason.template == LEVEL,
        claims=_claims(reports, names) if match.state == Match.State.DISPUTED else (),
        called=called,
        left="".join(side for side, one in sides if not one.plays or one.number in match.absent),
        leaving="".join(side for side, one in sides if one.number in event.leaving and one.plays),
        players=tuple(player.display_name for player in players),
        numbers=tuple(player.number for player in players),
        seats=seat_cells(match, names, players, told if undecided else ()),
        agreed=agreement_text(match, players, reports, accounts),
        versions=disputed_results(match, names, told),
        by_place=match.size > 2 and awards_points_by_place(event),
        sharing=sharing,
        closed=closed,
    )


def _in_short(report: AnyReport | None, names: Sequence[str]) -> str:
    return (
        (result_with_ending(report, *names) or result_with_names(report, *names)) if report else ""
    )


def _claims(reports: Sequence[Report], names: Sequence[str]) -> tuple[str, ...]:
    """Return the last report of each player, from a's side."""
    last = {report.by_entry_id: report for report in reports if report.by_entry_id is not None}
    return tuple(result_with_ending(report, *names) for report in last.values())


def has_reports(by_match: ReportsByMatch) -> bool:
    """Return whether the last report of any match is by a person, not automatic."""
    return any(
        reports[-1].kind != Report.Kind.AUTOMATIC for reports in by_match.values() if reports
    )


def round_page(facts: EventFacts, stage: StageFacts, round_: AnyRound) -> dict[str, Any]:
    """Return the template context of a round, draft or published; one query."""
    reports = load_round_reports(round_)
    by_group: dict[str, list[DeskRow]] = {}
    for row in round_desk_rows(facts, stage, round_, reports):
        by_group.setdefault(row.group, []).append(row)
    return {
        "round": round_,
        "label": round_label(stage, round_),
        "stage_label": stage_name_unless_in_label(
            translate(stage.plan.label), round_label(stage, round_)
        ),
        "groups": tuple((group, tuple(rows)) for group, rows in by_group.items()),
        "is_last": round_.ordinal == facts.last_ordinal and stage is facts.open_stage,
        "has_results": has_reports(reports),
    }
