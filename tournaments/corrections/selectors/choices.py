"""What a corrected result, or a corrected order of lots, changes in what was made from it, and what
can be done about it.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256

from django.utils.translation import gettext as _

from config.wording import translate
from rules.advancement.outcome import seat_players
from rules.corrections import (
    EXTRA,
    PAIRED_FROM,
    CorrectedStage,
    CorrectionEffect,
    Key,
    MatchChange,
    correct_stage,
)
from rules.errors import BadInput, RuleError
from rules.results import Outcome, PlayerId, Result
from rules.ties.draws import check_order
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import decided_places, stage_with_place_holders
from tournaments.core.mapping import report_from_outcome
from tournaments.core.names import surname_sort_key
from tournaments.core.rows import AnyEntry, AnyMatch, EntryRow, MatchRow, RoundRow
from tournaments.matches.words import score_with_names
from tournaments.models import Draw, Match, Report, Round, Stage
from tournaments.results.selectors import Effects, stage_change_effects, state_with_outcome
from tournaments.stages.selectors import origin_groups

STARTED = ("running", "paused")


def started_match_keys(stage: StageFacts) -> Iterator[Key]:
    """Yield (round index, match number) of a stage's matches that have started.

    That is: people entered a result or report, or the match is running on the round timer.
    """
    for index, item in enumerate(stage.regular_rounds):
        for match in stage.matches_of(item):
            if is_played(match) or is_running(item, match):
                yield index, match.number


def is_played(match: MatchRow) -> bool:
    """Return whether people entered a result or report for a match.

    Byes and other results set by rule don't count.
    """
    if match.decision is not None:
        return match.decision.kind != Report.Kind.AUTOMATIC
    return match.state in (Match.State.REPORTED, Match.State.DISPUTED)


def is_running(round_: RoundRow, match: MatchRow) -> bool:
    """Return whether an open match is in progress: its round's timer was started.

    A match to be replayed does not count: it does not use that timer.
    """
    clock = round_.clock
    started = clock is not None and clock.state in STARTED and match.again is None
    return match.state == Match.State.OPEN and round_.state == Round.State.PUBLISHED and started


LOTS = Sentence("First break the tie with a random draw or a tiebreaker match.")
ALL_OVER = Sentence("This stage is closed.")
KEEP, FOLLOW, TAKE_BACK = WAYS = ("keep", "follow", "take_back")
"""The ways to go on with a correction."""
TAKE_OUT = "take_out"
PLAYER_WAYS = (KEEP, TAKE_OUT, FOLLOW, TAKE_BACK)
"""The ways where a player should not have been in; taken out, they play no more."""


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A corrected result, random draw, seeding or player, with its effects and options.

    ``stage``: the stage with the error; ``changed``: the same stage, corrected. ``target``: the
    open stage, None if the last stage is closed. ``places``: {place: player} that ``stage`` gives
    after the correction if it is closed; ``holders``: starting places that change. ``begins``: the
    stage that the option `take_back` reopens, default ``stage``.

    ``follows``: ``target`` with seats and matches given to the right players; ``why_not``: why that
    is impossible, then ``follows`` may be None.
    """

    facts: EventFacts
    stage: StageFacts
    effects: Effects
    changed: StageFacts
    target: StageFacts | None
    places: Mapping[str, PlayerId] | None = None
    holders: Mapping[str, PlayerId] = field(default_factory=dict)
    begins: StageFacts | None = None
    follows: CorrectedStage | None = None
    why_not: Sentence | None = None

    @property
    def reaches_further(self) -> bool:
        """Return whether anything made from the old result is contradicted."""
        return self.effects.reaches_further

    @property
    def reopened(self) -> StageFacts:
        """Return the stage that taking back leads to: ``begins``, or that of the error."""
        return self.begins or self.stage

    @property
    def takes_back(self) -> bool:
        number = self.reopened.stage.number
        return bool(self.goes) or any(stage.number > number for stage in self.effects.stages)

    @property
    def changes(self) -> tuple[MatchChange, ...]:
        """Return the matches whose players change."""
        return self.follows.matches if self.follows else ()

    @cached_property
    def goes(self) -> tuple[RoundRow, ...]:
        """Return the rounds that taking back removes, the last one first."""
        return tuple(sorted(self._gone(), key=lambda item: -item.ordinal))

    def _gone(self) -> Iterator[RoundRow]:
        if not self.reaches_further:
            return
        own, number = [item.ordinal for item in self.effects.rounds], self.reopened.stage.number
        for stage in self.facts.stages:
            for item in stage.rounds:
                inside = stage.stage.number == number and own and item.ordinal >= min(own)
                if stage.stage.number > number or inside:
                    yield item

    @cached_property
    def results_gone(self) -> tuple[tuple[RoundRow, MatchRow], ...]:
        """Return the matches with results by people that taking back removes, in order of play."""
        return tuple(
            (item, match)
            for item in self.goes[::-1]
            for stage in self.facts.stages
            if stage.stage.pk == item.stage_id
            for match in stage.matches_of(item)
            if match.decision is not None and match.decision.kind != Report.Kind.AUTOMATIC
        )

    @cached_property
    def after(self) -> EventFacts:
        """Return the event as it would be once seats and matches have followed; no query."""
        stages = []
        for stage in self.facts.stages:
            if stage is self.stage and self.places is not None:
                own = _with_places(stage.stage, self.places)
                stages.append(replace(self.changed, stage=own))
            elif stage is self.target and self.follows is not None:
                stages.append(replace(stage, state=self.follows.state))
            else:
                stages.append(stage)
        return replace(self.facts, stages=tuple(stages))

    @cached_property
    def mark(self) -> str:
        """Return a digest of what would change: a page that showed another is out of date."""
        told = [
            [[each.key, each.after, each.begun] for each in self.changes],
            [str(change) for change in (self.follows.seats if self.follows else ())],
            [(item.ordinal, match.version) for item, match in self.results_gone],
            [item.ordinal for item in self.goes],
            str(self.why_not),
            *([sorted(self.holders.items())] if self.holders else []),
        ]
        return sha256(json.dumps(told).encode()).hexdigest()[:16]


def result_correction(
    facts: EventFacts, match: AnyMatch, outcome: Outcome, void: Collection[int] = ()
) -> Correction:
    """Return the correction of a match's result to this outcome; no query.

    ``void``: primary keys of matches that become void instead of being replayed.
    """
    stage = next(s for s in facts.stages if any(g.pk == match.group_id for g in s.groups))
    changed = replace(stage, state=state_with_outcome(stage, match, outcome))
    return _of_changed(facts, stage, changed, void)


def _of_changed(
    facts: EventFacts, stage: StageFacts, changed: StageFacts, void: Collection[int]
) -> Correction:
    found = Correction(
        facts=facts,
        stage=stage,
        effects=stage_change_effects(facts, stage, changed),
        changed=changed,
        target=facts.open_stage,
    )
    return add_follow_option(found, void)


def add_follow_option(found: Correction, void: Collection[int] = ()) -> Correction:
    """Return a correction with ``follows`` computed, or ``why_not``; no query.

    ``void``: primary keys of matches that become void instead of being replayed.
    """
    facts, stage, effects, changed = found.facts, found.stage, found.effects, found.changed
    if not found.reaches_further:
        return found
    if facts.open_stage is None:
        return replace(found, why_not=ALL_OVER)
    if any(item.is_extra for item in effects.rounds):
        return replace(found, why_not=EXTRA)
    if stage.stage.state != Stage.State.CLOSED:
        return _followed_by(found, changed, stage.state.seats, void)
    if effects.rounds:
        return replace(found, why_not=PAIRED_FROM)
    return _seated_anew(found, changed, void)


def seat_loss_correction(
    facts: EventFacts, player: PlayerId, void: Collection[int] = ()
) -> Correction | None:
    """Return the effects if a dropped player loses the seat earned in an earlier stage.

    None if the player is active or has no such seat in the open stage. No query. ``void``: primary
    keys of matches that become void instead of being replayed.
    """
    if facts.open_stage is None or facts.entries[player].plays:
        return None
    given = [s for s in facts.stages if player in s.stage.places.values()]
    if not given or player not in facts.open_stage.state.players:
        return None
    stage = given[-1]
    others = {name: holder for name, holder in stage.stage.places.items() if holder != player}
    found = Correction(
        facts=facts,
        stage=stage,
        effects=Effects(moves=(), places=(), rounds=(), stages=(facts.open_stage.stage,)),
        changed=stage,
        target=facts.open_stage,
    )
    return _seated_anew(found, replace(stage, stage=_with_places(stage.stage, others)), void)


def _seated_anew(found: Correction, changed: StageFacts, void: Collection[int]) -> Correction:
    """Return a correction of a closed stage with the seats that follow from its new places."""
    ended = stage_with_place_holders(changed).outcome
    places = dict(ended.places)
    again = replace(changed, stage=_with_places(changed.stage, places))
    # Whoever left since and holds no place any more must not decide who does.
    if ended.lots_needed or stage_with_place_holders(again).outcome.places != places:
        return replace(found, why_not=LOTS)
    known = {
        name: holder
        for name, holder in decided_places(found.facts).items()
        if name not in found.stage.stage.places
    } | places
    return add_follow_option_from_places(
        replace(found, places=places), known, changed.stage.number, void
    )


def add_follow_option_from_places(
    found: Correction,
    known: Mapping[str, PlayerId],
    number: int,
    void: Collection[int],
    *,
    by_hand: bool = False,
) -> Correction:
    """Return a correction with ``follows`` computed from the holders of places; no query.

    The first stage after stage ``number`` that is open is seated with ``known``, {place: player}.
    ``void``: primary keys of matches that become void instead of being replayed. ``by_hand``: new
    players take over matches of Swiss rounds, which are not paired anew.
    """
    before: list[StageFacts] = []
    for stage in found.facts.stages:
        if stage.stage.number > number and stage.groups:
            seats = seat_players(stage.plan, known, origin_groups(before))
            if stage.stage.state == Stage.State.OPEN:
                return _followed_by(found, stage, seats, void, by_hand=by_hand)
            if seats != dict(stage.state.seats):
                return replace(found, why_not=ALL_OVER)
        before.append(stage)
    return replace(found, why_not=ALL_OVER)


def _with_places(stage: Stage, places: Mapping[str, PlayerId]) -> Stage:
    moved = copy(stage)
    moved.places = dict(places)
    return moved


def _followed_by(
    found: Correction,
    target: StageFacts,
    seats: Mapping[str, tuple[PlayerId | None, ...]],
    void: Collection[int],
    *,
    by_hand: bool = False,
) -> Correction:
    keys = {match.pk: key for key, match in matches_by_key(target).items()}
    result = correct_stage(
        target.state,
        seats,
        begun=frozenset(started_match_keys(target)),
        void={keys[each] for each in void if each in keys},
        by_hand=by_hand,
    )
    return replace(found, target=target, follows=result, why_not=result.why_not)


def matches_by_key(stage: StageFacts) -> dict[Key, MatchRow]:
    """Return {(round index, match number): match} of a stage's regular rounds.

    Round indexes count from 0.
    """
    return {
        (index, match.number): match
        for index, item in enumerate(stage.regular_rounds)
        for match in stage.matches_of(item)
    }


def replayable_match_keys(found: Correction) -> list[int]:
    """Return the primary keys of changed matches that staff may replay or make void."""
    if found.target is None:
        return []
    rows = matches_by_key(found.target)
    choice = (
        each
        for each in found.changes
        if each.fate in (CorrectionEffect.AGAIN, CorrectionEffect.VOID)
    )
    return [rows[each.key].pk for each in choice]


class DisplayNames:
    """Lookup of the display names of an event's players, by number."""

    def __init__(self, entries: Mapping[PlayerId, AnyEntry]) -> None:
        self.entries = entries

    def of(self, player: PlayerId | None) -> str:
        """Return a player's name; "" for nobody."""
        return self.entries[player].display_name if player is not None else ""

    def pair(self, players: Iterable[PlayerId]) -> str:
        """Return those who meet, as "Anna Rossi – Bruno"."""
        return " – ".join(map(self.of, players))


def is_draw_correctable(facts: EventFacts, draw: Draw) -> bool:
    """Return whether a random draw was made by hand and still decides; no query.

    A draw by computer follows from its seed. A later draw or tiebreaker match between two of its
    players overrides it.
    """
    stage = _stage_of(facts, draw)
    if stage is None or not draw.by_hand or draw.kind != Draw.Kind.LOTS:
        return False
    drawn = facts.rows.lots
    made = [each.number for each in drawn].index(draw.number) + 1
    later = [each.order for each in drawn[made:] if each.stage_id == draw.stage_id]
    later += [extra.level for _item, extra in stage.extra_sets if extra.after >= made]
    return not any(len({*draw.order} & {*players}) > 1 for players in later)


def draw_correction(
    facts: EventFacts, draw: Draw, order: Sequence[int], void: Collection[int] = ()
) -> Correction:
    """Return the effects if a random draw had this order of player numbers; no query.

    ``void``: primary keys of matches that become void instead of being replayed. Raises RuleError
    ``lots_stay``, BadInput ``bad_order``, ``same_order``.
    """
    stage = _stage_of(facts, draw)
    if stage is None or not is_draw_correctable(facts, draw):
        raise RuleError("lots_stay")
    check_order(draw.entrants, order)
    if list(order) == draw.order:
        raise BadInput("same_order", "Change something first.")
    return _of_changed(facts, stage, replace(stage, lots=(*stage.lots, tuple(order))), void)


def _stage_of(facts: EventFacts, draw: Draw) -> StageFacts | None:
    return next((s for s in facts.stages if s.stage.pk == draw.stage_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReplacement:
    """A dropped player (``gone``) whose seat can go to ``comes``, the next in line.

    ``comes`` is None if nobody can get it, for the reason ``why_not``. ``mark``: digest of the
    change, to detect outdated pages.
    """

    gone: EntryRow
    comes: EntryRow | None
    why_not: str
    mark: str


def next_seat_replacement(facts: EventFacts) -> SeatReplacement | None:
    """Return a dropped player whose seat can be given away, and who gets it; no query.

    One with somebody next in line comes first. None if nobody in the open stage dropped, or once
    one of its rounds is published.
    """
    found = tuple(_leavers(facts))
    return next((each for each in found if each.comes), found[0] if found else None)


def _leavers(facts: EventFacts) -> Iterator[SeatReplacement]:
    stage = facts.open_stage
    if stage is None or any(item.state == Round.State.PUBLISHED for item in stage.rounds):
        return
    seated = [facts.entries[player] for player in stage.state.players]
    for gone in sorted((entry for entry in seated if not entry.plays), key=surname_sort_key):
        found = seat_loss_correction(facts, gone.number)
        if found is not None:
            comes = _who_comes(found)
            why = translate(found.why_not) if found.why_not else _("No player is next in line.")
            yield SeatReplacement(gone=gone, comes=comes, why_not=why, mark=found.mark)


def _who_comes(found: Correction) -> EntryRow | None:
    """Return who gets into the stage, None if nobody can."""
    if found.follows is None or found.why_not is not None:
        return None
    held = {change.before for change in found.follows.seats}
    new = [c.after for c in found.follows.seats if c.after is not None and c.after not in held]
    return found.facts.entries[new[0]] if new else None


def describe_result(was: Result, names: DisplayNames) -> str:
    """Return a result as "Zoë 12–40 Ugo", naming the winner if there is no score."""
    if was.outcome is None:
        return names.pair(was.seats)
    return score_with_names(report_from_outcome(was.outcome), *map(names.of, was.seats))
