"""A player's matches as their own page shows them, with the buttons to report a result."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from config.wording import translate
from rules.matches.agreement import required_report_count
from rules.matches.match_rules import MatchRules, result_presets
from rules.matches.settling import resolve_claim
from rules.results import MatchEnding, Outcome, Winner
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.formulas import awards_points_by_place
from tournaments.core.labels import (
    bye_label,
    ending_label,
    intentional_draw_label,
    is_intentional_draw,
    match_round_label,
    stage_and_round_label,
    table_place_labels,
)
from tournaments.core.mapping import (
    event_table_points,
    is_multiplayer_report,
    match_rules_without_marks,
    outcome_from_report,
)
from tournaments.core.permissions import Actor
from tournaments.core.replays import Replay, pending_replays
from tournaments.core.rows import AnyEntry, AnyReport, EntryRow, MatchRow
from tournaments.core.visibility import VisibleDecklists, visible_decklists
from tournaments.matches.selectors import players_by_account, reports_by_player
from tournaments.matches.words import (
    describe_own_result,
    game_winners_text,
    match_seat_names,
    player_side,
    points_earned_text,
    result_sentence,
    result_with_names,
    score_for_side,
)
from tournaments.models import Entry, Event, Match, Report
from tournaments.results.selectors import self_confirmation_time


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportButton:
    """A button that reports a result: ``key`` of the preset, label ``words`` and details."""

    key: str
    words: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportButtonGroup:
    """Buttons for results of one kind: won, lost or drawn.

    For a single game all are in one group without label.
    """

    label: str
    buttons: tuple[ReportButton, ...]


def report_buttons(rules: MatchRules) -> tuple[ReportButtonGroup, ...]:
    """Return the buttons by which a player reports a two-player match, by kind of result.

    Empty if points must be typed. Scores have the player's side first.
    """
    labels = {Winner.A: _("I won"), Winner.B: _("I lost"), Winner.DRAW: _("A draw")}
    settled = [(preset.key, resolve_claim(rules, preset.claim)) for preset in result_presets(rules)]
    if rules.best_of == 1:
        one = tuple(
            ReportButton(key=key, words=labels[o.winner or Winner.DRAW], note="")
            for key, o in settled
        )
        return (ReportButtonGroup(label="", buttons=one),) if one else ()
    groups = {
        label: tuple(
            ReportButton(key=key, words=score_for_side(outcome, "a"), note=_note(outcome))
            for key, outcome in settled
            if outcome.winner is winner
        )
        for winner, label in labels.items()
    }
    return tuple(
        ReportButtonGroup(label=label, buttons=found) for label, found in groups.items() if found
    )


def _note(outcome: Outcome) -> str:
    if is_intentional_draw(outcome.games_won):
        return intentional_draw_label()
    return ending_label(outcome.ended_by) if outcome.ended_by is MatchEnding.TIME else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSeat:
    """A seat at the reader's multiplayer table; ``own``: it is the reader's.

    ``said`` is its player's answer to the reported result, ``tone`` a CSS class. ``gone``: the
    player dropped or is ``absent``.
    """

    number: int
    name: str
    own: bool
    said: str
    tone: str
    gone: bool = False
    absent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTable:
    """A multiplayer table as one of its players sees it.

    ``reporter`` is who made the last report, "" without one; ``worth`` are the points that it
    gives. ``agreed`` is a text on how many agree. The reader has confirmed (``answered``) or
    contradicted (``denied``) the report. ``places`` are (number, label) to choose from, empty if
    only winning gives points.
    """

    seats: tuple[OwnSeat, ...]
    reporter: str
    agreed: str
    answered: bool
    denied: bool
    places: tuple[tuple[int, str], ...] = ()
    worth: str = ""

    @property
    def own(self) -> OwnSeat:
        """Return the reader's seat."""
        return next(seat for seat in self.seats if seat.own)

    @property
    def there(self) -> tuple[OwnSeat, ...]:
        """Return the seats of those who play."""
        return tuple(seat for seat in self.seats if not seat.gone)

    @property
    def others(self) -> tuple[OwnSeat, ...]:
        """Return the seats of the others who play."""
        return tuple(seat for seat in self.there if not seat.own)


def own_table(
    event: Event,
    match: MatchRow,
    key: int,
    entries_by_pk: Mapping[int, EntryRow],
    reports: Sequence[Report],
) -> OwnTable | None:
    """Return a match as its player sees a multiplayer table; None for two players.

    ``key`` is the primary key of the reader's entry; ``reports`` are the match's, oldest first. One
    query if somebody reported by account.
    """
    if match.size < 3:
        return None
    last: dict[int, Report] = {}
    if match.state in (Match.State.REPORTED, Match.State.DISPUTED):
        accounts = players_by_account(match.seats, reports)
        last = dict(reports_by_player(match.seats, reports, accounts))
    told = [(at, each) for at, each in last.items() if each.kind == Report.Kind.REPORT]
    reporter = max(told, key=lambda each: each[1].version)[0] if told else 0
    seats = tuple(
        OwnSeat(
            number=number,
            name=entries_by_pk[seated].display_name,
            own=seated == key,
            said=_said(last.get(seated), first=seated == reporter),
            tone=_tone(last.get(seated), own=seated == key),
            gone=not _is_there(match, entries_by_pk[seated]),
            absent=entries_by_pk[seated].number in match.absent,
        )
        for number, seated in enumerate(match.seats, start=1)
    )
    own = last.get(key)
    return OwnTable(
        seats=seats,
        reporter=entries_by_pk[reporter].display_name if reporter else "",
        agreed=_agreed(match, entries_by_pk, last),
        answered=own is not None and own.kind != Report.Kind.DENIAL,
        denied=own is not None and own.kind == Report.Kind.DENIAL,
        places=table_place_labels(match.size) if awards_points_by_place(event) else (),
        worth=_worth(event, last[reporter], seats) if reporter else "",
    )


def _is_there(match: MatchRow, player: EntryRow) -> bool:
    return player.plays and player.number not in match.absent


def _worth(event: Event, report: Report, seats: Sequence[OwnSeat]) -> str:
    names = [_("You") if seat.own else seat.name for seat in seats]
    return points_earned_text(
        outcome_from_report(report, len(names)), names, event_table_points(event)
    )


def _said(report: Report | None, *, first: bool) -> str:
    if report is None:
        return _("No answer yet")
    if report.kind == Report.Kind.DENIAL:
        return _("Disagrees")
    return _("Reported") if first or report.kind == Report.Kind.REPORT else _("Agrees")


def _tone(report: Report | None, *, own: bool) -> str:
    if report is None:
        return "info" if own else ""
    return "bad" if report.kind == Report.Kind.DENIAL else "good"


def _agreed(
    match: MatchRow, entries_by_pk: Mapping[int, EntryRow], last: Mapping[int, Report]
) -> str:
    if match.state != Match.State.REPORTED:
        return ""
    seated = [key for key in match.seats if _is_there(match, entries_by_pk[key])]
    agreed = sum(key in last for key in seated)
    missing = max(required_report_count(match.size, range(match.size - len(seated))) - agreed, 1)
    words = _("Agreed: %(agreed)s of %(all)s. Still needed: %(missing)s.")
    return words % {"agreed": agreed, "all": len(seated), "missing": missing}


UNSETTLED = (Match.State.REPORTED, Match.State.DISPUTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedReport:
    """A player's last report in a dispute.

    ``score`` has the reader's side first, "" for a result without score; ``words`` say who won;
    ``sentence`` is the whole result.
    """

    at: datetime
    score: str
    words: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMatch:
    """A match as one of its players ("own") sees it.

    ``names`` are by seat. ``replay``: when and where it is played again. ``reported``: the last
    report as a sentence until a result is final; ``mine``: it is the player's; ``reported_games``:
    its games. ``own`` and ``theirs``: both players' last reports in a dispute. ``counts_at``: when
    an unconfirmed report becomes final by itself. ``lists``: opponents whose decklist is visible.
    ``extra``: a tiebreaker match. ``at_table``: None for two players. ``joined_by``: a late player
    who joined the match. ``points``: those last reported, own first.
    """

    match: MatchRow
    replay: Replay | None
    rules: MatchRules
    side: str
    names: tuple[str, ...]
    opponent: EntryRow | None
    others: tuple[EntryRow, ...]
    title: str
    stage: str
    result: str
    reported: str
    reported_games: str
    mine: bool
    own: DisputedReport | None
    theirs: DisputedReport | None
    counts_at: datetime | None
    buttons: tuple[ReportButtonGroup, ...]
    lists: tuple[EntryRow, ...]
    extra: bool
    in_bracket: bool
    at_table: OwnTable | None
    joined_by: EntryRow | None = None
    points: tuple[int, int] | None = None

    @property
    def table(self) -> int | None:
        """Return the table where it is played."""
        return self.replay.table if self.replay else self.match.table

    @property
    def against(self) -> str:
        """Return "against Dora", "" without an opponent and at a multiplayer table."""
        if self.opponent is None or self.at_table:
            return ""
        return " ".join((_("against"), self.opponent.display_name))

    @property
    def company(self) -> str:
        """Return the names of the others."""
        return ", ".join(other.display_name for other in self.others)

    @property
    def is_bye(self) -> bool:
        """Return whether the match has no opponent."""
        return self.opponent is None

    @property
    def where(self) -> str:
        """Return stage and round of the match."""
        return stage_and_round_label(self.stage, self.title)

    @property
    def label_without_opponent(self) -> str:
        return bye_label(self.match.decision)

    @property
    def is_final(self) -> bool:
        """Return whether the result counts."""
        return self.match.state == Match.State.FINAL

    @property
    def is_open(self) -> bool:
        """Return whether nothing was reported."""
        return self.match.state == Match.State.OPEN

    @property
    def to_confirm(self) -> bool:
        """Return whether the opponent has reported and this player may confirm."""
        return self.match.state == Match.State.REPORTED and not self.mine

    @property
    def kept_state(self) -> str:
        """Return "told" while the player's own report waits and can be changed, else "open"."""
        return "told" if self.match.state == Match.State.REPORTED and self.mine else "open"

    @property
    def is_disputed(self) -> bool:
        """Return whether the reports of the two players differ."""
        return self.match.state == Match.State.DISPUTED


def own_match(facts: EventFacts, entry: Entry, match_id: int) -> OwnMatch | None:
    """Return a player's published match by primary key, None for another; one query."""
    found = own_matches(facts, entry, match_id)
    return next((m for m in found if m.match.pk == match_id), None)


Seats = Mapping[int, Sequence[tuple[StageFacts, MatchRow]]]


def player_matches(facts: EventFacts, entry: AnyEntry) -> Sequence[tuple[StageFacts, MatchRow]]:
    """Return (stage, match) of each match of a player, in the order of play; no query."""

    def make() -> Seats:
        found: dict[int, list[tuple[StageFacts, MatchRow]]] = defaultdict(list)
        for stage in facts.stages:
            for match in stage.matches:
                for key in match.seats:
                    found[key].append((stage, match))
        return found

    seats: Seats = cached_value(facts, "matches", make)
    return seats.get(entry.pk, ())


def own_matches(facts: EventFacts, entry: Entry, also: int = 0) -> list[OwnMatch]:
    """Return a player's matches in the order of play.

    ``also`` is the key of a final match whose reports are needed too. One query, none if no match
    waits for a result.
    """
    mine = player_matches(facts, entry)
    reports: dict[int, list[Report]] = defaultdict(list)
    keys = [match.pk for _stage, match in mine if match.pk == also or match.state in UNSETTLED]
    if keys:
        for report in Report.objects.filter(match__in=keys).order_by("version"):
            reports[report.match_id].append(report)
    entries_by_pk = facts.entries_by_pk
    sight = visible_decklists(Actor(entry=entry), facts.event)
    again = {each.match.pk: each for each in pending_replays(facts, of=entry.number)}
    return [
        _my_match(
            stage,
            match,
            entry,
            entries_by_pk,
            reports.get(match.pk, []),
            sight,
            again.get(match.pk),
        )
        for stage, match in mine
    ]


def _my_match(
    stage: StageFacts,
    match: MatchRow,
    entry: Entry,
    entries_by_pk: dict[int, EntryRow],
    reports: Sequence[Report],
    sight: VisibleDecklists,
    replay: Replay | None,
) -> OwnMatch:
    reports = [report for report in reports if report.version > match.version_before]
    last = _last_report(match, reports)
    side = player_side(entry, match)
    others = tuple(entries_by_pk[key] for key in match.seats if key != entry.pk)
    rules = match_rules_without_marks(match, stage.event, timed=stage.plan.timed)
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    names = match_seat_names(match, entries_by_pk)
    decision = match.decision
    counting = decision if decision and decision.ended_by != MatchEnding.BYE else None
    report = outcome_from_report(last, 2) if last and len(names) == 2 and others else None
    return OwnMatch(
        match=match,
        replay=replay,
        rules=rules,
        side=side,
        names=names,
        opponent=others[0] if others else None,
        others=others,
        title=match_round_label(stage, item, match),
        stage=translate(stage.plan.label),
        result=own_result_text(counting, names, side) if counting else "",
        reported=_reported_words(last, names) if last and others else "",
        reported_games=game_winners_text(report, *names) if report else "",
        mine=last is not None and _is_by(last, entry),
        own=_in_dispute(match, names, side, [r for r in reports if _is_by(r, entry)]),
        theirs=_in_dispute(match, names, side, [r for r in reports if not _is_by(r, entry)]),
        counts_at=self_confirmation_time(stage.event, last)
        if last and last.version == match.version
        else None,
        buttons=() if match.state == Match.State.FINAL or match.size > 2 else report_buttons(rules),
        lists=tuple(one for one in others if one.submission_id and sight.reads(one)),
        extra=item.is_extra,
        in_bracket=stage.kind.has_bracket,
        at_table=own_table(stage.event, match, entry.pk, entries_by_pk, reports),
        joined_by=_joined_by(match, entry, entries_by_pk),
        points=_points_from(side, report.score) if report and rules.by_points else None,
    )


def _points_from(side: str, score: tuple[int, int] | None) -> tuple[int, int] | None:
    return score[::-1] if score and side == "b" else score


def _joined_by(
    match: MatchRow, entry: Entry, entries_by_pk: Mapping[int, EntryRow]
) -> EntryRow | None:
    """Return who came late and joined a player in a match, None for nobody."""
    *others, last = (entries_by_pk[key] for key in match.seats)
    there = [other.number for other in others]
    return last if entry.number in there and match.seats_before == there else None


def own_result_text(report: AnyReport, names: Sequence[str], side: str) -> str:
    """Return a final result as its player reads it; at a multiplayer table with all names.

    ``side`` is the player's, "a" or "b", in a match of two.
    """
    of_table = is_multiplayer_report(report)
    return (
        result_with_names(report, *names)
        if of_table
        else describe_own_result(outcome_from_report(report, 2), side)
    )


def _reported_words(report: Report, names: Sequence[str]) -> str:
    if is_multiplayer_report(report):
        return result_with_names(report, *names)
    return result_sentence(outcome_from_report(report, 2), *names)


def _last_report(match: MatchRow, reports: Sequence[Report]) -> Report | None:
    """Return the last report, of an unsettled match that of a player; None without one.

    A result that the staff undid since is void.
    """
    if match.state in UNSETTLED:
        reports = [report for report in reports if report.kind == Report.Kind.REPORT]
    return reports[-1] if reports else None


def _in_dispute(
    match: MatchRow, names: tuple[str, ...], side: str, reports: Sequence[Report]
) -> DisputedReport | None:
    """Return the last report of one player in a dispute, else None."""
    told = [report for report in reports if report.kind == Report.Kind.REPORT]
    if match.state != Match.State.DISPUTED or not told:
        return None
    if is_multiplayer_report(told[-1]):
        words = result_with_names(told[-1], *names)
        return DisputedReport(at=told[-1].at, score="", words=words, sentence=words)
    outcome = outcome_from_report(told[-1], 2)
    return DisputedReport(
        at=told[-1].at,
        score=score_for_side(outcome, side),
        words=_who_won(outcome, names, side),
        sentence=result_sentence(outcome, *names),
    )


def _who_won(outcome: Outcome, names: tuple[str, ...], side: str) -> str:
    if outcome.winner is Winner.DRAW:
        return _("A draw")
    if outcome.winner is Winner.NONE:
        return _("Both lose")
    if outcome.winner == side:
        return _("you won")
    return _("%(name)s wins") % {"name": names[1 if side == "a" else 0]}


def _is_by(report: Report, entry: Entry) -> bool:
    by_account = report.by_id is not None and report.by_id == entry.user_id
    return report.by_entry_id == entry.pk or by_account
