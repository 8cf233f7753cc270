"""What changes once a player is out who should not have been in, or another has the seat."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from rules.results import PlayerId
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts
from tournaments.core.kept_places import places_of_start
from tournaments.core.names import by_surname
from tournaments.core.rows import EntryRow, MatchRow, RoundRow
from tournaments.corrections.selectors.choices import Correction, departure_of
from tournaments.corrections.selectors.start import made_since, with_seats
from tournaments.models import Entry, Match, Stage

NO_SEAT = Sentence("The player holds no seat in the stage in progress.")
NOBODY = Sentence("Nobody comes next for the seat.")


def could_come(facts: EventFacts) -> tuple[EntryRow, ...]:
    """Return who could have the seat of another: who waits for a place, by name; no query."""
    waiting = (e for e in facts.entries.values() if e.status == Entry.Status.WAITING)
    return tuple(sorted(waiting, key=by_surname))


def newcomer(facts: EventFacts, name: str) -> EntryRow:
    """Return somebody as a player of the event who is not entered yet."""
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


def player_correction_of(
    facts: EventFacts,
    player: PlayerId,
    comes: EntryRow | None = None,
    void: Collection[int] = (),
) -> Correction:
    """Return what follows if a player should not have been in; no query.

    With ``comes`` that player has the place of the start, else who comes next has a seat that was
    got in an earlier stage. ``void`` is as for `correction_of`. ``facts`` of the answer have the
    player out and who comes in.
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
        effects=made_since(facts, first, played),
        changed=first,
        target=facts.open_stage,
    )
    if comes is not None:
        place = next(name for name, held in places_of_start(facts).items() if held == player)
        found = replace(found, holders={place: comes.number})
        return with_seats(found, void, by_hand=True)
    if first.stage.state == Stage.State.OPEN:
        return found
    leaves = departure_of(facts, player, void)
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


def matches_left(facts: EventFacts, player: PlayerId) -> Iterator[tuple[RoundRow, MatchRow]]:
    """Yield a player's matches in the stage in progress that nobody has reported; no query."""
    stage, own = facts.open_stage, facts.entries[player].pk
    if stage is not None:
        for item in stage.rounds:
            for match in stage.matches_of(item):
                if own in match.seats and match.state == Match.State.OPEN:
                    yield item, match
