"""The matches that are played now: those of the round in progress, and earlier ones beside it.

A correction puts matches of earlier rounds up to be played, now or before the round to come. They
stand beside the latest round, at tables of their own, until the next one is published.

``group_rounds`` are those to come of groups, whose order is fixed when they are drawn.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import PlayerId
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.labels import match_round_label, round_phrase_by_ordinal
from tournaments.core.rows import AnyEntry, AnyRound, EntryRow, MatchRow, RoundRow
from tournaments.models import Match, Round


class MatchInPlay(NamedTuple):
    """A match in play, with its round.

    ``beside``: it is of an earlier round and played alongside the latest one.
    """

    round: AnyRound
    match: MatchRow
    beside: bool

    @property
    def table(self) -> int | None:
        """Return the table where it is played."""
        return self.match.plays_at if self.beside else self.match.table

    @property
    def is_open(self) -> bool:
        """Return whether its result does not count yet."""
        return self.match.state != Match.State.FINAL

    @property
    def turn(self) -> tuple[bool, bool]:
        """Return the key of the order in which matches of a player, or of a table, are played.

        Open ones come first, those of the round before those beside it.
        """
        return not self.is_open, self.beside


class Replay(NamedTuple):
    """A match that a correction requires to be played again.

    ``stage``: the open stage. ``before``: ordinal of the round it must precede, 0 for now.
    ``during``: ordinal of the round in progress meanwhile, 0 for none. ``beside``: of an
    earlier round than the latest. ``shared``: its table is also used by an open match of the
    latest round.
    """

    stage: StageFacts
    match: MatchRow
    round: AnyRound
    players: tuple[AnyEntry, ...]
    table: int | None
    before: int
    during: int
    beside: bool
    shared: bool

    @property
    def pair(self) -> str:
        """Return its players in the order of their seats, as "Anna–Bruno"."""
        return "–".join(entry.display_name for entry in self.players)

    @property
    def when(self) -> str:
        """Return when it is played: "Now", "before the final"."""
        if self.before:
            return before_round_text(self.stage, self.before)
        return during_round_text(self.stage, self.during) if self.during else _("Now")

    @property
    def of_round(self) -> str:
        """Return the label of its round."""
        return match_round_label(self.stage, self.round, self.match)


def before_round_text(stage: StageFacts, ordinal: int) -> str:
    """Return "before round 5" or "before the final" for use in a sentence."""
    return _("before %(round)s") % {"round": round_phrase_by_ordinal(stage, ordinal)}


def during_round_text(stage: StageFacts, ordinal: int) -> str:
    """Return "during round 5" or "during the final" for use in a sentence."""
    return _("during %(round)s") % {"round": round_phrase_by_ordinal(stage, ordinal)}


def matches_in_play(stage: StageFacts) -> tuple[MatchInPlay, ...]:
    """Return the matches of the latest published round, and earlier ones to replay.

    Replays that were finished during that round are included. No query.
    """
    return cached_value(stage, "in play", lambda: tuple(_in_play(stage)))


def _in_play(stage: StageFacts) -> Iterator[MatchInPlay]:
    latest = latest_published_round(stage)
    if latest is None:
        return
    for match in stage.matches_of(latest):
        yield MatchInPlay(latest, match, beside=False)
    for item in stage.rounds:
        if item.ordinal < latest.ordinal:
            for match in stage.matches_of(item):
                found = MatchInPlay(item, match, beside=True)
                if found.is_open or match.put_up.get("beside") == latest.ordinal:
                    yield found


def latest_published_round(stage: StageFacts) -> RoundRow | None:
    """Return a stage's latest published round, None if none is."""
    published = (item for item in reversed(stage.rounds) if item.state == Round.State.PUBLISHED)
    return next(published, None)


def matches_at_current_tables(stage: StageFacts) -> tuple[MatchRow, ...]:
    """Return the matches in play with ``table`` set to where each is played.

    An earlier match that is replayed may have another table than in its round. No query.
    """
    return tuple(each.match._replace(table=each.table) for each in matches_in_play(stage))


def round_matches_at_current_tables(stage: StageFacts, round_: RoundRow) -> tuple[MatchRow, ...]:
    """Return a round's matches with ``table`` set to where each is played.

    A replay may have another table than in its round.
    """
    matches, latest = stage.matches_of(round_), latest_published_round(stage)
    if latest is None or round_.ordinal >= latest.ordinal:
        return matches
    return tuple(
        each if each.plays_at == each.table else each._replace(table=each.plays_at)
        for each in matches
    )


def current_table(stage: StageFacts, round_: AnyRound, match: MatchRow) -> int | None:
    """Return the number of the table where a match is played; no query.

    A replay may have another table than in its round.
    """
    latest = latest_published_round(stage)
    beside = latest is not None and round_.ordinal < latest.ordinal
    return match.plays_at if beside else match.table


def count_missing_results(stage: StageFacts) -> int:
    """Return how many matches in play have no final result; no query."""
    return sum(each.is_open for each in matches_in_play(stage))


def count_open_tables(stage: StageFacts) -> int:
    """Return how many tables in play have no final result; no query."""
    return sum(each.is_open and each.table is not None for each in matches_in_play(stage))


def open_round_ordinal(stage: StageFacts) -> int:
    """Return the latest published round's ordinal, 0 if its results are final."""
    own = (each for each in matches_in_play(stage) if each.is_open and not each.beside)
    return next((each.round.ordinal for each in own), 0)


def match_at_table(facts: EventFacts, ordinal: int, table: int) -> MatchRow | None:
    """Return the match at a table of a published round, replays included, else None.

    ``ordinal``: the round's in the event. If two share the table, an open one first.
    """
    stage, item = facts.round_at(ordinal) or (None, None)
    if stage is None or item is None or item.state != Round.State.PUBLISHED:
        return None
    if item != latest_published_round(stage):
        return next((match for match in stage.matches_of(item) if match.table == table), None)
    found = (each for each in matches_in_play(stage) if each.table == table)
    first = min(found, key=lambda each: each.turn, default=None)
    return first.match if first else None


def shared_tables(matches: Iterable[MatchInPlay]) -> dict[int, tuple[MatchInPlay, ...]]:
    """Return {table: its open matches} for tables with more than one open match.

    The matches are in the order in which they are to be played. No query.
    """
    at: dict[int, list[MatchInPlay]] = defaultdict(list)
    for each in matches:
        if each.is_open and each.table is not None:
            at[each.table].append(each)
    return {
        table: tuple(sorted(found, key=lambda each: each.turn))
        for table, found in at.items()
        if len(found) > 1
    }


def pending_replays(facts: EventFacts, *, of: PlayerId | None = None) -> tuple[Replay, ...]:
    """Return the open stage's matches that must be played again; no query.

    ``of``: only those of this player.
    """
    stage = facts.open_stage
    found = _replays(facts, stage) if stage else ()
    return tuple(
        each for each in found if of is None or of in {entry.number for entry in each.players}
    )


def _replays(facts: EventFacts, stage: StageFacts) -> Iterator[Replay]:
    playing, last, during = (
        matches_in_play(stage),
        latest_published_round(stage),
        open_round_ordinal(stage),
    )
    latest = last.ordinal if last else 0
    own = [each for each in playing if each.is_open and not each.beside]
    for each in playing:
        if not each.is_open or (each.match.again is None and not each.beside):
            continue
        again = each.match.again or 0
        yield Replay(
            stage=stage,
            match=each.match,
            round=each.round,
            players=tuple(facts.entries[facts.numbers[key]] for key in each.match.seats),
            table=each.table,
            before=again if again > latest else 0,
            during=during if each.beside else 0,
            beside=each.beside,
            shared=each.beside and any(other.table == each.table for other in own),
        )


def next_round_ordinal(stage: StageFacts) -> int:
    """Return the ordinal of the stage's drafted or next round in the event.

    0 if there is none, and before the stage's first round.
    """
    last = stage.last_round
    if last is None:
        return 0
    if last.state == Round.State.DRAFT:
        return last.ordinal
    return 0 if stage.rounds_done else last.ordinal + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRound:
    """A group's round: label, pairs of players, and whether it isn't published yet."""

    label: str
    pairs: tuple[tuple[EntryRow, EntryRow], ...]
    is_coming: bool


def group_rounds(facts: EventFacts, stage: StageFacts, group: str) -> Iterator[GroupRound]:
    """Yield all rounds of a round-robin group, published or not; no query.

    ``group``: its name. Nothing for other stages. ``facts`` must be loaded without drafts.
    """
    made = [item.ordinal for item in stage.regular_rounds]
    last = facts.rounds[-1].ordinal if facts.rounds else 0
    for number, pairs in enumerate(stage.kind.meetings(stage.state, group), start=1):
        coming = number > len(made)
        words = stage.kind.describe_round(stage.state, number)
        ordinal = last + number - len(made) if coming else made[number - 1]
        yield GroupRound(
            label=translate(Sentence(words.template, {**words.values, "number": ordinal})),
            pairs=tuple((facts.entries[a], facts.entries[b]) for a, b in pairs),
            is_coming=coming,
        )


def upcoming_group_rounds(facts: EventFacts, stage: StageFacts, group: str) -> Iterator[GroupRound]:
    """Yield a group's unpublished rounds, without pairs of players who dropped.

    ``group``: its name. ``facts`` must be loaded without drafts. No query.
    """
    for each in group_rounds(facts, stage, group):
        pairs = tuple((a, b) for a, b in each.pairs if a.plays and b.plays)
        if each.is_coming and pairs:
            yield replace(each, pairs=pairs)


def upcoming_opponents(facts: EventFacts, number: PlayerId) -> tuple[tuple[str, EntryRow], ...]:
    """Return (round label, opponent) of a player's unpublished group matches."""
    stage = facts.open_stage
    if stage is None:
        return ()
    rounds = (
        each for g in stage.plan.groups for each in upcoming_group_rounds(facts, stage, g.name)
    )
    return tuple(
        (each.label, other if one.number == number else one)
        for each in rounds
        for one, other in each.pairs
        if number in (one.number, other.number)
    )
