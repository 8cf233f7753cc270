"""What changes once places of the start are held by others: where seeds were wrong, where a player
is out who should not have been in, or where another has the seat.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from rules.advancement.outcome import seat_players
from rules.corrections import SeatChange, corrected_start_places, seat_changes
from rules.errors import BadInput, RuleError
from rules.plans import start_places
from rules.results import PlayerId
from rules.ties.draws import check_order, seeded_order
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import decided_places, starting_places
from tournaments.core.names import surname_sort_key
from tournaments.core.rows import EntryRow, MatchRow, RoundRow
from tournaments.corrections.selectors.choices import (
    ALL_OVER,
    Correction,
    add_follow_option_from_places,
    seat_loss_correction,
)
from tournaments.models import Draw, Entry, Match, Stage
from tournaments.results.selectors import Effects
from tournaments.stages.selectors import origin_groups

Seeds = Mapping[PlayerId, int | None]


def starting_draw(facts: EventFacts) -> Draw | None:
    """Return the random draw that gave the starting order, None before the start; no query."""
    drawn = [draw for draw in facts.draws if draw.kind == Draw.Kind.START]
    return drawn[-1] if drawn and facts.plan is not None else None


def starting_order(facts: EventFacts) -> tuple[PlayerId, ...]:
    """Return the players in the starting order, as corrected so far; no query."""
    draw = starting_draw(facts)
    held = starting_places(facts)
    return tuple(held[name] for name in start_places(len(draw.order) if draw else 0))


def seeds_correction(
    facts: EventFacts, seeds: Seeds, order: Sequence[PlayerId] = (), void: Collection[int] = ()
) -> Correction:
    """Return the effects if the players had these seeds at the start; no query.

    ``seeds``: {player: seed or None}; players with equal or no seeds keep the order given by the
    draw's random seed. ``order``: the whole order instead, if the start was drawn by hand.
    ``void``: primary keys of matches that become void instead of being replayed.

    Raises RuleError ``no_start``, BadInput ``bad_order``, ``same_seeds``.
    """
    draw, was = starting_draw(facts), starting_order(facts)
    if draw is None:
        raise RuleError("no_start", "The event has not started")
    if draw.by_hand:
        check_order([int(player) for player in was], [int(player) for player in order])
        wanted = tuple(order)
    else:
        wanted = seeded_order(draw.seed, [(int(player), seeds.get(player)) for player in was])
    same = all(facts.entries[player].seed == seed for player, seed in seeds.items())
    if wanted == was and same:
        raise BadInput("same_seeds", "Change something first.")
    right = dict(zip(start_places(len(was)), wanted, strict=True))
    return starting_places_correction(facts, right, void)


def starting_places_correction(
    facts: EventFacts, right: Mapping[str, PlayerId], void: Collection[int] = ()
) -> Correction:
    """Return the effects if these players had the starting places; no query.

    ``right``: {place: player}. ``void``: primary keys of matches that become void instead of being
    replayed.
    """
    now = starting_places(facts)
    held = {name: now[name] for name in right}
    holders = corrected_start_places(facts.plan, held, right) if facts.plan is not None else {}
    begun = [
        stage
        for stage in facts.stages
        if stage.groups and any(name in holders for g in stage.plan.groups for name in g.seats)
    ]
    first = begun[0] if begun else facts.stages[0]
    found = Correction(
        facts=facts,
        stage=first,
        effects=effects_on_rounds(facts, first, first.rounds) if begun else NOTHING,
        changed=first,
        target=facts.open_stage,
        holders=holders,
    )
    return add_follow_option_from_start(found, void) if begun else found


NOTHING = Effects(moves=(), places=(), rounds=(), stages=())


def effects_on_rounds(facts: EventFacts, stage: StageFacts, rounds: Sequence[RoundRow]) -> Effects:
    """Return effects that consist of these rounds, of ``stage`` and of all later begun stages."""
    later = (s.stage for s in facts.stages if s.stage.number >= stage.stage.number and s.groups)
    return replace(NOTHING, rounds=tuple(rounds), stages=tuple(later))


def add_follow_option_from_start(
    found: Correction, void: Collection[int] = (), *, by_hand: bool = False
) -> Correction:
    """Return a correction with ``follows`` computed from its starting places, or ``why_not``.

    ``void``: primary keys of matches that become void instead of being replayed. ``by_hand``: new
    players take over matches of Swiss rounds.
    """
    if found.facts.open_stage is None:
        return replace(found, why_not=ALL_OVER)
    known = decided_places(found.facts) | dict(found.holders)
    return add_follow_option_from_places(found, known, 0, void, by_hand=by_hand)


def reopened_seat_changes(found: Correction) -> tuple[SeatChange, ...]:
    """Return the seats of the reopened stage that change once its rounds are deleted."""
    facts, stage = found.facts, found.reopened
    known = decided_places(facts) | dict(found.holders)
    before = facts.stages[: stage.stage.number - 1]
    return seat_changes(stage.state.seats, seat_players(stage.plan, known, origin_groups(before)))


def starting_seat_changes(found: Correction) -> Iterator[tuple[StageFacts, SeatChange]]:
    """Yield (stage, seat change) for starting places whose holder changes; no query.

    Only seats of begun stages.
    """
    now = starting_places(found.facts)
    for stage in found.facts.stages:
        if stage.stage.state == Stage.State.PENDING:
            continue
        for group in stage.plan.groups:
            for number, name in enumerate(group.seats, start=1):
                if name in found.holders:
                    yield (
                        stage,
                        SeatChange(
                            group=group.name,
                            seat=number,
                            before=now[name],
                            after=found.holders[name],
                        ),
                    )


NO_SEAT = Sentence("This player has no seat in the current stage.")
NOBODY = Sentence("No player is next in line.")


def replacement_candidates(facts: EventFacts) -> tuple[EntryRow, ...]:
    """Return the players on the waiting list, sorted by surname; no query."""
    waiting = (e for e in facts.entries.values() if e.status == Entry.Status.WAITING)
    return tuple(sorted(waiting, key=surname_sort_key))


def new_player_row(facts: EventFacts, name: str) -> EntryRow:
    """Return an unsaved player with this name and the next free number."""
    number = int(max(facts.entries)) + 1
    return EntryRow(
        pk=0,
        event_id=facts.event.pk,
        number=number,
        name=name,
        name_key="",
        club="",
        seed=None,
        status=Entry.Status.CHECKED_IN,
        submission_id=None,
        deck_open_until=None,
        fixed_table=None,
    )


def player_correction(
    facts: EventFacts,
    player: PlayerId,
    comes: EntryRow | None = None,
    void: Collection[int] = (),
) -> Correction:
    """Return the effects if a player had not taken part; no query.

    ``comes``: the player who gets the starting place; None: the next in line gets a seat earned in
    an earlier stage. ``void``: primary keys of matches that become void instead of being replayed.
    The ``facts`` of the correction have the exchange applied.
    """
    first = next(stage for stage in facts.stages if player in stage.state.players)
    own = {facts.entries[player].pk}
    played = [
        item
        for item in first.rounds
        if any(own & {*match.seats} and not match.missed for match in first.matches_of(item))
    ]
    facts = _exchanged(facts, player, comes)
    first = facts.stages[first.stage.number - 1]
    found = Correction(
        facts=facts,
        stage=first,
        effects=effects_on_rounds(facts, first, played),
        changed=first,
        target=facts.open_stage,
    )
    if comes is not None:
        place = next(name for name, held in starting_places(facts).items() if held == player)
        found = replace(found, holders={place: comes.number})
        return add_follow_option_from_start(found, void, by_hand=True)
    if first.stage.state == Stage.State.OPEN:
        return found
    leaves = seat_loss_correction(facts, player, void)
    if leaves is None:
        return replace(found, why_not=NO_SEAT)
    seats = leaves.follows.seats if leaves.follows else ()
    if leaves.why_not is None and any(change.after is None for change in seats):
        leaves = replace(leaves, why_not=NOBODY)
    return replace(leaves, effects=found.effects, begins=first)


def _exchanged(facts: EventFacts, player: PlayerId, comes: EntryRow | None) -> EventFacts:
    """Return an event in which a player has left, and another has come."""
    entries, gone = dict(facts.entries), {player}
    if entries[player].plays:
        entries[player] = entries[player]._replace(status=Entry.Status.WITHDRAWN)
    new = set[PlayerId]()
    if comes is not None:
        entries[comes.number] = comes._replace(status=Entry.Status.CHECKED_IN)
        new = {comes.number}
    stages = tuple(
        replace(s, state=replace(s.state, withdrawn=(s.state.withdrawn | gone) - new))
        for s in facts.stages
    )
    return replace(facts, entries=entries, stages=stages)


def unreported_matches(facts: EventFacts, player: PlayerId) -> Iterator[tuple[RoundRow, MatchRow]]:
    """Yield (round, match) of a player's unreported matches in the open stage; no query."""
    stage, own = facts.open_stage, facts.entries[player].pk
    if stage is not None:
        for item in stage.rounds:
            for match in stage.matches_of(item):
                if own in match.seats and match.state == Match.State.OPEN:
                    yield item, match
