"""A player's matches as their own page shows them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from config.wording import translate
from rules.matches.match_rules import MatchRules
from rules.results import EndedBy, Outcome, Winner
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_of_match, without_opponent
from tournaments.core.mapping import is_of_table, match_rules_in, outcome_of
from tournaments.core.permissions import Actor
from tournaments.core.replays import Replay, replays
from tournaments.core.round_words import stage_and_round
from tournaments.core.rows import AnyEntry, AnyReport, EntryRow, MatchRow
from tournaments.core.values_cache import cached
from tournaments.core.visibility import Sight, sight_of
from tournaments.matches.words import (
    game_winners,
    names_at,
    own_result,
    result_sentence,
    score_for_side,
    side_of,
    with_names,
)
from tournaments.models import Entry, Match, Report
from tournaments.personal.selectors.own_table import OwnTable, own_table
from tournaments.personal.selectors.result_buttons import Buttons, result_buttons
from tournaments.results.selectors.confirmations import counts_at

UNSETTLED = (Match.State.REPORTED, Match.State.DISPUTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """The last report of one player in a dispute: ``score`` with the reader's figures first.

    ``score`` is empty for a result without figures; ``words`` say who won, ``sentence`` all of it.
    """

    at: datetime
    score: str
    words: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MyMatch:
    """A match of the player, with its ``names``; ``at_table`` is None for a match of two.

    ``replay`` says when and where it is played if a correction put it up.

    ``reported`` is the last report as a sentence while the result does not count, ``mine`` if their
    own; ``reported_games`` lists its games. In a dispute ``own`` and ``theirs`` are the last
    report of each player. ``buttons`` are the results to report by one tap. ``counts_at`` is when
    an unconfirmed report becomes final, None for never. ``lists`` are those of the ``others`` whose
    decklist is visible now; ``extra``: an extra match, ``in_bracket``: its stage is a bracket.
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
    own: Claimed | None
    theirs: Claimed | None
    counts_at: datetime | None
    buttons: tuple[Buttons, ...]
    lists: tuple[EntryRow, ...]
    extra: bool
    in_bracket: bool
    at_table: OwnTable | None

    @property
    def table(self) -> int | None:
        """Return the table where it is played."""
        return self.replay.table if self.replay else self.match.table

    @property
    def against(self) -> str:
        """Return "against Dora", "" without an opponent and at a table of three and more."""
        if self.opponent is None or self.at_table:
            return ""
        return _("against %(name)s") % {"name": self.opponent.display_name}

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
        return stage_and_round(self.stage, self.title)

    @property
    def label_without_opponent(self) -> str:
        """Return the label of a round without opponent."""
        return without_opponent(self.match.decision)

    @property
    def is_final(self) -> bool:
        """Return whether the result counts."""
        return self.match.state == Match.State.FINAL

    @property
    def is_void(self) -> bool:
        """Return whether the match was made void."""
        decision = self.match.decision
        return decision is not None and decision.ended_by == EndedBy.VOID

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


def my_match(facts: EventFacts, entry: Entry, match_id: int) -> MyMatch | None:
    """Return one of the player's published matches; one query for its reports."""
    found = own_matches(facts, entry, match_id)
    return next((m for m in found if m.match.pk == match_id), None)


Seats = Mapping[int, Sequence[tuple[StageFacts, MatchRow]]]


def matches_of(facts: EventFacts, entry: AnyEntry) -> Sequence[tuple[StageFacts, MatchRow]]:
    """Return a player's matches with their stages in the order of play; no query."""

    def make() -> Seats:
        found: dict[int, list[tuple[StageFacts, MatchRow]]] = defaultdict(list)
        for stage in facts.stages:
            for match in stage.matches:
                for key in match.seats:
                    found[key].append((stage, match))
        return found

    seats: Seats = cached(facts, "matches", make)
    return seats.get(entry.pk, ())


def own_matches(facts: EventFacts, entry: Entry, also: int = 0) -> list[MyMatch]:
    """Return the player's matches in the order of play.

    One query, none if nothing waits for an answer. ``also`` is the primary key of a match whose
    reports are wanted though its result counts.
    """
    mine = matches_of(facts, entry)
    reports: dict[int, list[Report]] = defaultdict(list)
    keys = [match.pk for _stage, match in mine if match.pk == also or match.state in UNSETTLED]
    if keys:
        for report in Report.objects.filter(match__in=keys).order_by("version"):
            reports[report.match_id].append(report)
    by_key = {each.pk: each for each in facts.entries.values()}
    sight = sight_of(Actor(entry=entry), facts.event)
    again = {each.match.pk: each for each in replays(facts, of=entry.number)}
    return [
        _my_match(
            stage, match, entry, by_key, reports.get(match.pk, []), sight, again.get(match.pk)
        )
        for stage, match in mine
    ]


def _my_match(
    stage: StageFacts,
    match: MatchRow,
    entry: Entry,
    by_key: dict[int, EntryRow],
    reports: Sequence[Report],
    sight: Sight,
    replay: Replay | None,
) -> MyMatch:
    reports = [report for report in reports if report.version > match.version_before]
    last = _last_report(match, reports)
    side = side_of(entry, match)
    others = tuple(by_key[key] for key in match.seats if key != entry.pk)
    rules = match_rules_in(stage.plan, match, stage.event)
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    names = names_at(match, by_key)
    decision = match.decision
    counting = decision if decision and decision.ended_by != EndedBy.BYE else None
    report = outcome_of(last, 2) if last and len(names) == 2 and others else None
    return MyMatch(
        match=match,
        replay=replay,
        rules=rules,
        side=side,
        names=names,
        opponent=others[0] if others else None,
        others=others,
        title=round_of_match(stage, item, match),
        stage=translate(stage.plan.label),
        result=own_words(counting, names, side) if counting else "",
        reported=_reported_words(last, names) if last and others else "",
        reported_games=game_winners(report, *names) if report else "",
        mine=last is not None and _is_by(last, entry),
        own=_in_dispute(match, names, side, [r for r in reports if _is_by(r, entry)]),
        theirs=_in_dispute(match, names, side, [r for r in reports if not _is_by(r, entry)]),
        counts_at=counts_at(stage.event, last) if last and last.version == match.version else None,
        buttons=() if match.state == Match.State.FINAL or match.size > 2 else result_buttons(rules),
        lists=tuple(one for one in others if one.submission_id and sight.reads(one)),
        extra=item.is_extra,
        in_bracket=stage.kind.has_bracket,
        at_table=own_table(stage.event, match, entry.pk, by_key, reports),
    )


def own_words(report: AnyReport, names: Sequence[str], side: str) -> str:
    """Return a result that counts as its player reads it; of a table with everybody's names."""
    of_table = is_of_table(report)
    return with_names(report, *names) if of_table else own_result(outcome_of(report, 2), side)


def _reported_words(report: Report, names: Sequence[str]) -> str:
    if is_of_table(report):
        return with_names(report, *names)
    return result_sentence(outcome_of(report, 2), *names)


def _last_report(match: MatchRow, reports: Sequence[Report]) -> Report | None:
    """Return the last report, of an unsettled match that of a player; None without one.

    A result that the staff took back since counts for nothing.
    """
    if match.state in UNSETTLED:
        reports = [report for report in reports if report.kind == Report.Kind.REPORT]
    return reports[-1] if reports else None


def _in_dispute(
    match: MatchRow, names: tuple[str, ...], side: str, reports: Sequence[Report]
) -> Claimed | None:
    """Return the last report of one player in a dispute, else None."""
    told = [report for report in reports if report.kind == Report.Kind.REPORT]
    if match.state != Match.State.DISPUTED or not told:
        return None
    if is_of_table(told[-1]):
        words = with_names(told[-1], *names)
        return Claimed(at=told[-1].at, score="", words=words, sentence=words)
    outcome = outcome_of(told[-1], 2)
    return Claimed(
        at=told[-1].at,
        score=score_for_side(outcome, side),
        words=_who_won(outcome, names, side),
        sentence=result_sentence(outcome, *names),
    )


def _who_won(outcome: Outcome, names: tuple[str, ...], side: str) -> str:
    if outcome.winner is Winner.DRAW:
        return _("a draw")
    if outcome.winner is Winner.NONE:
        return _("both lose")
    if outcome.winner == side:
        return _("you won")
    return _("%(name)s has won") % {"name": names[1 if side == "a" else 0]}


def _is_by(report: Report, entry: Entry) -> bool:
    by_account = report.by_id is not None and report.by_id == entry.user_id
    return report.by_entry_id == entry.pk or by_account
