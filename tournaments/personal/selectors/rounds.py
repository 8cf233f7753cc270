"""The round in progress and the one to come, as players' own pages show them, and whose results
decide about a player; the next match in a bracket, with the possible opponents.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from config.wording import format_moment, translate
from rules.advancement.outcome import current_place_holders
from rules.brackets import BracketMatch, BracketPart, MatchSource
from rules.plans import LoserPlace, WinnerPlace
from rules.results import PlayerId
from rules.scenarios import DecidingResult, Verdict
from rules.stages.base import awarded_byes, bracket_matches
from rules.stages.knockout import (
    bracket_progress,
    match_loser,
    match_sides,
    matches_by_number,
    remaining_players,
)
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.labels import round_label
from tournaments.core.names import match_name
from tournaments.core.replays import count_missing_results, matches_in_play, upcoming_opponents
from tournaments.core.rows import AnyEntry, MatchRow, RoundRow
from tournaments.events.selectors.timetable import open_stage_end
from tournaments.models import Entry, Event, Match
from tournaments.prospects.selectors import WORDS, public_prospects
from tournaments.standings.selectors.rank_details import stage_advancing_ranks


class RoundInProgress(NamedTuple):
    """A round in progress with its stage and label."""

    stage: StageFacts
    round_: RoundRow
    label: str


def round_in_progress(facts: EventFacts) -> RoundInProgress | None:
    """Return the latest round of the open stage, None without one; no query."""
    stage = facts.open_stage
    if facts.event.state != Event.State.RUNNING or stage is None or stage.last_round is None:
        return None
    return RoundInProgress(stage, stage.last_round, round_label(stage, stage.last_round))


def next_round_number(facts: EventFacts) -> int:
    """Return the number (in the event) of the open stage's next round, 0 for none.

    No query.
    """
    stage = facts.open_stage
    if stage is None or len(stage.regular_rounds) >= stage.total_rounds:
        return 0
    return facts.last_ordinal + 1


def count_open_tables(facts: EventFacts) -> int:
    """Return the number of matches in play without a final result; no query."""
    current = round_in_progress(facts)
    return count_missing_results(current.stage) if current else 0


def player_matches_in_play(facts: EventFacts, entry: AnyEntry) -> list[MatchRow]:
    """Return a player's matches in play; no query.

    That of the latest round comes first, then those of earlier rounds played beside it.
    """
    current = round_in_progress(facts)
    playing = matches_in_play(current.stage) if current else ()
    return [each.match for each in playing if entry.pk in each.match.seats]


def count_deciding_tables(facts: EventFacts, number: PlayerId) -> int:
    """Return how many open matches may decide whether a player advances.

    Matches of other groups count only if ranks are compared across groups. No query.
    """
    current = round_in_progress(facts)
    if current is None or not current.stage.kind.has_table:
        return 0
    stage = current.stage
    compared = stage_advancing_ranks(stage).compared
    own = next((name for name, seats in stage.state.seats.items() if number in seats), "")
    keys = {group.pk for group in stage.groups if compared or group.name == own}
    return sum(each.is_open and each.match.group_id in keys for each in matches_in_play(stage))


def round_after_byes(facts: EventFacts, entry: AnyEntry) -> int:
    """Return the number of the round after a player's awarded byes, 0 without any."""
    stage = facts.open_stage
    if stage is None or not stage.kind.honours_byes:
        return 0
    last = awarded_byes(stage.state).get(entry.number, 0)
    return last + 1 if 0 < last < stage.total_rounds else 0


STEP = timedelta(minutes=5)
"""An estimate is told in steps of five minutes, rounded up."""


def expected_decision_time(facts: EventFacts) -> datetime | None:
    """Return about when it will be decided who advances; no query.

    None if unknown or past.
    """
    moment: datetime | None = cached_value(facts, "decided_at", lambda: _decided_at(facts))
    return moment if moment is not None and moment > timezone.now() else None


def _decided_at(facts: EventFacts) -> datetime | None:
    stage = facts.open_stage
    if stage is None or not stage.used or (stage.rounds_done and not count_open_tables(facts)):
        return None
    ends = open_stage_end(facts)
    return ends and ends + timedelta(seconds=-ends.timestamp() % STEP.total_seconds())


def decision_time_text(facts: EventFacts) -> str:
    """Return a sentence saying when it is decided who advances, or ""."""
    moment, stage = expected_decision_time(facts), facts.open_stage
    if moment is None or stage is None:
        return ""
    number = facts.last_ordinal + stage.total_rounds - len(stage.regular_rounds)
    local, day = moment.astimezone(facts.event.zone), facts.event.begins.date()
    when = format_moment(local, "time" if local.date() == day else "all")
    return _("This will be decided after round %(number)s, around %(when)s.") % {
        "number": number,
        "when": when,
    }


MOST = 3
"""Lines shown at most."""


def deciding_result_lines(facts: EventFacts, entry: Entry) -> tuple[dict[str, Any], ...]:
    """Return lines on single results that decide whether a player advances, by table.

    Each is {"words", "good": the player would advance}; at most three. () if not every outcome
    could be tried. No query.
    """
    found = public_prospects(facts).get(entry.number)
    if found is None or not found.exact:
        return ()
    tables = _tables(facts)
    known = [one for one in found.deciders if frozenset(one.players) in tables]
    known.sort(key=lambda one: tables[frozenset(one.players)])
    return tuple(_line(facts, one, tables[frozenset(one.players)]) for one in known[:MOST])


def _tables(facts: EventFacts) -> dict[frozenset[object], int]:
    """Return the table of each open match of the open stage by its players."""
    stage = facts.open_stage
    return {
        frozenset(facts.numbers[key] for key in match.seats): match.plays_at or match.number
        for match in (stage.missing if stage else ())
        if match.state != Match.State.FINAL
    }


def _line(facts: EventFacts, decider: DecidingResult, table: int) -> dict[str, Any]:
    """The consequence of one result at another table; ``good``: the player then goes on."""
    winner = decider.players[0 if decider.result == "win" else 1]
    result = _("%(name)s wins") % {"name": facts.entries[winner].display_name}
    if decider.result == "draw":
        result = _("A draw")
    where = _("Table %(table)s") % {"table": table}
    words = f"{where} · {result}: {WORDS[decider.verdict]}"
    return {"words": words, "good": decider.verdict is Verdict.THROUGH}


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingMatches:
    """Sentences about a player's next matches; ``is_out``: the player is eliminated."""

    sentences: tuple[str, ...] = ()
    is_out: bool = False


def upcoming_matches(facts: EventFacts, entry: Entry) -> UpcomingMatches | None:
    """Return a player's next matches in the open bracket or group; no query.

    None for other players.
    """
    stage = facts.open_stage
    if facts.event.state == Event.State.RUNNING and (
        coming := upcoming_opponents(facts, entry.number)
    ):
        known = ((label, other.display_name) for label, other in coming)
        return UpcomingMatches(sentences=tuple(f"{label}: {name}" for label, name in known))
    if facts.event.state != Event.State.RUNNING or stage is None or not stage.kind.has_bracket:
        return None
    if not stage.state.rounds or entry.number not in stage.state.players:
        return None
    held = {**current_place_holders(stage.state, stage.used), **stage.outcome.places}
    if onwards := _stage_after(facts, stage, held, entry.number):
        return UpcomingMatches(sentences=(": ".join((_("Next match"), onwards)),))
    lost = any(
        match_loser(result) == entry.number
        for _p, result in matches_by_number(stage.state).values()
    )
    if lost and entry.number not in remaining_players(stage.state):
        return UpcomingMatches(is_out=True)
    return UpcomingMatches(sentences=tuple(_Bracket(facts, stage).sentences(entry.number)))


def _stage_after(
    facts: EventFacts, stage: StageFacts, held: Mapping[str, PlayerId], player: PlayerId
) -> str:
    """Return the label of the next stage that seats one of these places, or ""."""
    if facts.plan is None:
        return ""
    index = facts.plan.next_stages(stage.stage.number - 1, held).get(player)
    return translate(facts.plan.stages[index].label) if index is not None else ""


class _Bracket:
    """The state of a bracket with players' names."""

    def __init__(self, facts: EventFacts, stage: StageFacts) -> None:
        self.facts, self.stage = facts, stage
        self.plan, self.state = stage.plan, stage.state
        self.shape = bracket_matches(stage.plan)
        self.by_number = {match.number: match for match in self.shape}
        self.ways = bracket_progress(stage.state)
        self.known = matches_by_number(stage.state)

    def sentences(self, player: PlayerId) -> Iterator[str]:
        match = self._open_match(player)
        if match is not None:
            yield from self._sentences_after(match, player, won=True)
            yield from self._sentences_after(match, player, won=False)
            return
        for each in self.shape:
            waits = not self.ways[each.number].decided and each.number not in self.known
            if waits and player in [
                side for side, _sure in match_sides(self.state, each, self.ways)
            ]:
                match_label = f"{self._round(each)} · {self._other(each, player)}"
                yield ": ".join((_("Next match"), match_label))
                return

    def _open_match(self, player: PlayerId) -> BracketMatch | None:
        for number, (pairing, result) in self.known.items():
            if result.winner is None and player in pairing.seats:
                return self.by_number[number]
        return None

    def _sentences_after(
        self, match: BracketMatch, player: PlayerId, *, won: bool
    ) -> Iterator[str]:
        after = self._after(match, player, won=won)
        if after:
            yield ": ".join((_("If you win") if won else _("If you lose"), after))

    def _after(self, match: BracketMatch, player: PlayerId, *, won: bool) -> str:
        """Return the label of what a result leads to: a match, a stage, or being out; or ""."""
        following, side = self._following(match, won=won)
        if following is None:
            if onwards := self._later_stage_label(match, player, won=won):
                return onwards
            goes_on = self._following(match, won=True)[0] is not None
            goes_on = goes_on or bool(self._later_stage_label(match, player, won=True))
            return str(WORDS[Verdict.OUT]) if goes_on and not won else ""
        if following.part is BracketPart.AGAIN:
            # The second match of the grand final, which only who came from below can bring about.
            pairing, _result = self.known[match.number]
            from_below = pairing.seats[1:] == (player,)
            return self._round(following) if from_below == won else ""
        return f"{self._round(following)} · {self._side_in_words(following, 1 - side)}"

    def _later_stage_label(self, match: BracketMatch, player: PlayerId, *, won: bool) -> str:
        kind = WinnerPlace if won else LoserPlace
        places = [
            p.name for p in self.plan.places if isinstance(p, kind) and p.match == match.number
        ]
        return _stage_after(self.facts, self.stage, dict.fromkeys(places, player), player)

    def _following(self, match: BracketMatch, *, won: bool) -> tuple[BracketMatch | None, int]:
        """Return (match, side) to which a result leads, skipping matches without opponent."""
        source = MatchSource(match=match.number, winner=won)
        found = next((each for each in self.shape if source in each.sources), None)
        if found is None:
            return None, 0
        side = found.sources.index(source)
        other, sure = match_sides(self.state, found, self.ways)[1 - side]
        alone = sure and other is None and found.part is not BracketPart.AGAIN
        return self._following(found, won=True) if alone else (found, side)

    def _other(self, match: BracketMatch, player: PlayerId) -> str:
        sides = [side for side, _sure in match_sides(self.state, match, self.ways)]
        return self._side_in_words(match, 1 - sides.index(player))

    def _side_in_words(self, match: BracketMatch, index: int) -> str:
        """Return the words for a side of a match: a player's name, or the match that decides it."""
        player, sure = match_sides(self.state, match, self.ways)[index]
        if player is not None:
            return str(self.facts.entries[player])
        source = match.sources[index]
        if sure or not isinstance(source, MatchSource):
            return _("nobody yet")
        pairing, _result = self.known.get(source.match, (None, None))
        names = [str(self.facts.entries[p]) for p in pairing.seats] if pairing else []
        name = " – ".join(names) if len(names) > 1 else self._round(self.by_number[source.match])
        words = _("winner of “%(match)s”") if source.winner else _("loser of “%(match)s”")
        return words % {"match": name}

    def _round(self, match: BracketMatch) -> str:
        return match_name(self.plan, match)
