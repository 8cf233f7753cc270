"""Matches as tiles: the tables of the current round, and the latest results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules.results import EndedBy, Winner
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import ending_of, ordinal
from tournaments.core.rows import AnyReport, EntryRow, MatchAddress, MatchRow
from tournaments.core.values_cache import cached
from tournaments.matches.words import ended_by_whom, scores_of, seats_won
from tournaments.models import Match, Report

ALL_SHOWN, MOST = 16, 64
"""Most tables of which all are drawn, and most of which all unfinished ones are;
of more tables only those that need a confirmation or a decision are drawn."""
LATEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A player of a tile; ``score`` is empty until there is one."""

    entry: EntryRow
    score: str
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A table: ``look`` is over, waits (somebody must act) or on (being played).

    ``at`` leads to the page of its match.
    """

    table: int
    look: str
    words: str
    sides: tuple[Side, ...]
    at: MatchAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles:
    """The tables of a round: those drawn, and the number in each state."""

    drawn: tuple[Tile, ...]
    all: int
    over: int
    reported: int
    disputed: int

    @property
    def playing(self) -> int:
        """Return the number of tables without any report."""
        return self.all - self.over - self.reported - self.disputed

    @property
    def missing(self) -> int:
        """Return the number of tables without a final result."""
        return self.all - self.over

    @property
    def counts(self) -> tuple[str, ...]:
        """Return the number of tables in each state, in words, without states that have none."""
        words = (
            (self.over, _("finished: %(count)s")),
            (self.reported, _("to be confirmed: %(count)s")),
            (self.disputed, _("with a judge: %(count)s")),
            (self.playing, _("playing: %(count)s")),
        )
        return tuple(label % {"count": count} for count, label in words if count)

    @property
    def parts(self) -> tuple[str, ...]:
        """Return for each table whether it is finished, waits or is missing; empty for many."""
        if self.all > ALL_SHOWN:
            return ()
        waiting = self.reported + self.disputed
        return (*["full"] * self.over, *["half"] * waiting, *[""] * self.playing)

    @property
    def percent(self) -> int:
        """Return the share of finished tables."""
        return round(100 * self.over / self.all) if self.all else 0


def tiles_of(facts: EventFacts, stage: StageFacts, matches: Sequence[MatchRow]) -> Tiles:
    """Return the tables of a round, by their number; no query."""
    at_tables = sorted((m for m in matches if m.table is not None), key=lambda m: m.table or 0)
    entries = facts.by_key
    ordinals = {item.pk: item.ordinal for item in stage.rounds}
    count = len(at_tables)
    waits = (Match.State.REPORTED, Match.State.DISPUTED)
    drawn = [
        match
        for match in at_tables
        if count <= ALL_SHOWN
        or match.state in waits
        or (count <= MOST and match.state != Match.State.FINAL)
    ]
    states = [match.state for match in at_tables]
    return Tiles(
        drawn=tuple(_tile(match, entries, ordinals) for match in drawn),
        all=count,
        over=states.count(Match.State.FINAL),
        reported=states.count(Match.State.REPORTED),
        disputed=states.count(Match.State.DISPUTED),
    )


def _tile(match: MatchRow, entries: dict[int, EntryRow], ordinals: dict[int, int]) -> Tile:
    decision = match.decision if match.state == Match.State.FINAL else None
    pair = [entries[key] for key in match.seats]
    scores = _marks(match, decision) or ("",) * len(pair) if decision else ("–",) * len(pair)
    won = seats_won(decision, len(pair))
    looks = {Match.State.FINAL: "over", Match.State.OPEN: "on"}
    return Tile(
        table=match.table or 0,
        look=looks.get(Match.State(match.state), "waits"),
        words=_result_in_words(match, [str(entry) for entry in pair]),
        sides=tuple(
            Side(entry=entry, score=score, won=first)
            for entry, score, first in zip(pair, scores, won, strict=False)
        ),
        at=(ordinals[match.round_id], match.number),
    )


def _marks(match: MatchRow, decision: AnyReport) -> tuple[str, ...]:
    """Return the score of both players; at a table of three and more the places, as ordinals."""
    scores = scores_of(decision)
    if match.size < 3:
        return scores
    return tuple(ordinal(int(place)) if place.isdigit() else place for place in scores)


def _result_in_words(match: MatchRow, names: Sequence[str]) -> str:
    if match.state == Match.State.REPORTED:
        return _("to be confirmed")
    if match.state == Match.State.DISPUTED:
        return _("judge called")
    if match.state != Match.State.FINAL:
        more = match.extra_minutes
        return _("+%(minutes)s min") % {"minutes": more} if more else _("playing")
    decision = match.decision
    if decision is None or decision.ended_by in (EndedBy.PLAYED, EndedBy.TIME) or len(names) < 2:
        return pgettext("of a match", "finished")
    return ended_by_whom(decision, *names) if decision.winner != Winner.NONE else _("both lose")


def latest_results(facts: EventFacts) -> tuple[dict[str, Any], ...]:
    """Return the latest results that count, newest first; one query once a version."""
    return cached(facts, "latest", lambda: tuple(_latest_results(facts)))


def _latest_results(facts: EventFacts) -> Iterable[dict[str, Any]]:
    """``score`` is how the match ended where it has no score."""
    entries = facts.by_key
    played = {
        match.decision.pk: match
        for stage in facts.stages
        for match in stage.matches
        if match.state == Match.State.FINAL and match.decision and match.size > 1
    }
    ordinals = {item.pk: item.ordinal for item in facts.rounds}
    newest = sorted(played, reverse=True)[:LATEST]
    moments = dict(Report.objects.filter(pk__in=newest).order_by().values_list("pk", "at"))
    for key in newest:
        match = played[key]
        tile = _tile(match, entries, ordinals)
        if key in moments and len(tile.sides) > 1:
            score = "–".join(filter(None, (side.score for side in tile.sides)))
            if not score and match.decision is not None:
                lost = [str(side.entry) for side in tile.sides if not side.won]
                score = ending_of(match.decision.ended_by, lost[0] if len(lost) == 1 else "")
            yield {"at": moments[key], "sides": tile.sides, "score": score, "match": tile.at}
