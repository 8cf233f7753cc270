"""The state of a player's own page: one value, from facts and time.

Every word of the page follows from it: the box with the table, the next step, whether a judge can
be called, what leaving would cost. Who has left, and what is over, come first; then a match that is
still open, then whether the player plays on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from rules.events.lifecycle import NO_WAY_BACK, RejoinStatus
from rules.scenarios.final_places import FinalPlaces
from rules.scenarios.verdicts import FutureMatches


class PlayerState(StrEnum):
    """What a player is doing in an event, as shown on the player's own page."""

    WAITING = "waiting"
    """On the waiting list."""
    SIGNED_UP = "signed_up"
    """Registered, while registration goes on."""
    REGISTERED = "registered"
    """Registered, after registration and before the day."""
    EARLY = "early"
    """The day has come, and it is too early to say that one is here."""
    ARRIVING = "arriving"
    """It can be said now."""
    HERE = "here"
    PLAYING = "playing"
    REPORTED = "reported"
    """By the player: the opponent has to confirm."""
    TO_CONFIRM = "to_confirm"
    """Reported by the opponent."""
    DISPUTED = "disputed"
    DECIDED = "decided"
    """The match counts, others of the round are played, and there is more to play."""
    BYE = "bye"
    RESTS = "rests"
    """No match in this round of the stage."""
    MISSED = "missed"
    """A round before the player came."""
    BETWEEN = "between"
    """Between rounds, and sure to play."""
    UNSURE = "unsure"
    """Nothing more to play in this stage, whose cut is not drawn."""
    OUT = "out"
    """Nothing more to play in this event."""
    SEAT_LOST = "seat_lost"
    """Out, as by decision somebody else has the seat."""
    LOTS_LOST = "lots_lost"
    """Out, as lots decided between level players."""
    LEFT = "left"
    TAKEN_OUT = "taken_out"
    """Out of the event by the staff, who found that the player should not have been in."""
    DISQUALIFIED = "disqualified"
    OVER = "over"


TO_DO = (PlayerState.PLAYING, PlayerState.TO_CONFIRM, PlayerState.DISPUTED)
"""The player has something to do at the table."""


def current_match_index(matches: Sequence[PlayerState]) -> int:
    """Return the index of the match that a player's page shows first.

    ``matches`` are the player's states at several open matches. It is the first at which the player
    has something to do, else the first that waits for others, else 0.
    """
    for waits in (TO_DO, (PlayerState.REPORTED,)):
        if found := [at for at, state in enumerate(matches) if state in waits]:
            return found[0]
    return 0


class ExclusionReason(StrEnum):
    """The decision, if any, that leaves a player without further matches.

    SEAT: somebody else got the player's seat; LOTS: a random draw; TAKEN_OUT: removed by staff.
    """

    NOT = "not"
    SEAT = "seat"
    LOTS = "lots"
    TAKEN_OUT = "taken_out"


class DeckState(StrEnum):
    """The state of a player's decklist; OPTIONAL: missing, but not required."""

    NONE = "none"
    MISSING = "missing"
    OPTIONAL = "optional"
    ILLEGAL = "illegal"
    LEGAL = "legal"


class NextStep(StrEnum):
    """The next action of a player; WAIT: a pairing may appear.

    HAND_IN: submit a decklist; MEND: correct it; SAY_HERE: check in; ASK_BACK: ask to return.
    """

    NOTHING = "nothing"
    HAND_IN = "hand_in"
    MEND = "mend"
    SAY_HERE = "say_here"
    REPORT = "report"
    CONFIRM = "confirm"
    ACCEPT = "accept"
    WAIT = "wait"
    ASK_BACK = "ask_back"


class DropConsequence(StrEnum):
    """What dropping from the event now would mean; NOT_OFFERED if it is impossible."""

    NOT_OFFERED = "not_offered"
    FREES_PLACE = "frees_place"
    LEAVES_LINE = "leaves_line"
    """A place on the waiting list is given up, and nothing else."""
    LOSES_MATCH = "loses_match"
    LEAVES_REPORT = "leaves_report"
    """A match that was reported is still to be confirmed or decided."""
    NO_MORE = "no_more"
    """Later opponents win, or whoever pairs leaves the player out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPageInput:
    """The input of ``player_page_state``.

    ``event_state`` and ``player_status`` are states of `rules.events.lifecycle`.
    ``registration_open``: others can still register. ``day`` is the start of the event's day in
    local time, ``begins`` the planned start, ``check_in_from`` when self check-in opens.
    ``deck_open``: the player may change the decklist. ``in_round`` is the player's state in the
    round in progress, BETWEEN without one; ``round_over``: no match of that round is open.
    ``plays_on``: whether matches are left for the player. ``places`` are the final places still
    possible. ``returning`` says whether a player who left can come back, ``exclusion`` which
    decision leaves the player without matches.
    """

    event_state: str
    player_status: str
    registration_open: bool = False
    day: datetime
    begins: datetime | None = None
    check_in_from: datetime
    deck: DeckState = DeckState.NONE
    deck_open: bool = False
    in_round: PlayerState = PlayerState.BETWEEN
    round_over: bool = False
    plays_on: FutureMatches = FutureMatches.SURE
    places: FinalPlaces | None = None
    returning: RejoinStatus = RejoinStatus.NOT_OFFERED
    exclusion: ExclusionReason = ExclusionReason.NOT


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPageState:
    """What a player's own page shows.

    ``step`` is the next action, ``leaving`` the consequence of dropping. ``here_at`` is when self
    check-in opens, at the earliest on the day. ``places``: the final places still possible, None if
    unknown. ``returning`` says whether a player who left can come back. ``overdue``: the event has
    not begun at its time.
    """

    state: PlayerState
    step: NextStep
    leaving: DropConsequence
    deck: DeckState
    here_at: datetime
    places: FinalPlaces | None
    returning: RejoinStatus
    overdue: bool = False

    @property
    def at_table(self) -> bool:
        """Return whether the player sits at a table with an opponent."""
        return self.state in AT_TABLE

    @property
    def plays(self) -> bool:
        """Return whether the player may still have a match, now or later."""
        return self.state not in DONE

    @property
    def waits(self) -> bool:
        """Return whether a table may appear, so that it makes sense to wait for it."""
        return self.step is NextStep.WAIT

    @property
    def place(self) -> int:
        """Return the final place, 0 while it is open."""
        return self.places.one if self.places else 0

    @property
    def has_won(self) -> bool:
        """Return whether the player has the first place, and alone."""
        return self.places == FinalPlaces(1, 1)


AT_TABLE = frozenset(
    {PlayerState.PLAYING, PlayerState.REPORTED, PlayerState.TO_CONFIRM, PlayerState.DISPUTED}
)
BEFORE = frozenset(
    {
        *(PlayerState.SIGNED_UP, PlayerState.REGISTERED, PlayerState.EARLY),
        *(PlayerState.ARRIVING, PlayerState.HERE),
    }
)
BY_DECISION = {
    ExclusionReason.SEAT: PlayerState.SEAT_LOST,
    ExclusionReason.LOTS: PlayerState.LOTS_LOST,
    ExclusionReason.TAKEN_OUT: PlayerState.TAKEN_OUT,
}
"""The state of whom a decision leaves without matches."""
OUT = frozenset({PlayerState.OUT, *BY_DECISION.values()})
DONE = OUT | {PlayerState.LEFT, PlayerState.DISQUALIFIED, PlayerState.OVER}
"""The player has no match and will have none."""
STEPS = {
    PlayerState.ARRIVING: NextStep.SAY_HERE,
    PlayerState.PLAYING: NextStep.REPORT,
    PlayerState.TO_CONFIRM: NextStep.CONFIRM,
    PlayerState.DISPUTED: NextStep.ACCEPT,
    PlayerState.HERE: NextStep.WAIT,
    PlayerState.DECIDED: NextStep.WAIT,
    PlayerState.BYE: NextStep.WAIT,
    PlayerState.RESTS: NextStep.WAIT,
    PlayerState.MISSED: NextStep.WAIT,
    PlayerState.BETWEEN: NextStep.WAIT,
    PlayerState.UNSURE: NextStep.WAIT,
}
LISTS = {DeckState.MISSING: NextStep.HAND_IN, DeckState.ILLEGAL: NextStep.MEND}


def player_page_state(facts: PlayerPageInput, now: datetime) -> PlayerPageState:
    """Return what a player's own page shows at a moment (``now``)."""
    here_at = max(facts.check_in_from, facts.day)
    state = _state_of(facts, now, here_at)
    step = STEPS.get(state, NextStep.NOTHING)
    if state in BEFORE and facts.deck_open:
        step = LISTS.get(facts.deck, step)
    returning = facts.returning if state is PlayerState.LEFT else RejoinStatus.NOT_OFFERED
    if returning is RejoinStatus.MAY_ASK:
        step = NextStep.ASK_BACK
    return PlayerPageState(
        state=state,
        step=step,
        leaving=_leaving(facts, state),
        deck=facts.deck,
        here_at=here_at,
        places=facts.places if _place_is_known(facts, state) else None,
        returning=returning,
        overdue=state in BEFORE and facts.begins is not None and facts.begins <= now,
    )


def _place_is_known(facts: PlayerPageInput, state: PlayerState) -> bool:
    """Return whether the page names places: of whoever has left, if they can't come back."""
    if facts.event_state == "finished" or state in OUT:
        return True
    return state is PlayerState.LEFT and facts.returning in NO_WAY_BACK


def _state_of(facts: PlayerPageInput, now: datetime, here_at: datetime) -> PlayerState:
    if facts.player_status == "disqualified":
        return PlayerState.DISQUALIFIED
    if facts.player_status == "withdrawn":
        taken_out = facts.exclusion is ExclusionReason.TAKEN_OUT
        return PlayerState.TAKEN_OUT if taken_out else PlayerState.LEFT
    if facts.event_state == "finished":
        return PlayerState.OVER
    if facts.player_status == "waiting":
        return PlayerState.WAITING
    if facts.event_state != "running":
        return _before_start(facts, now, here_at)
    if facts.in_round in AT_TABLE:
        return facts.in_round
    if facts.plays_on is not FutureMatches.SURE:
        out = BY_DECISION.get(facts.exclusion, PlayerState.OUT)
        return out if facts.plays_on is FutureMatches.NO else PlayerState.UNSURE
    return PlayerState.BETWEEN if facts.round_over else facts.in_round


def _before_start(facts: PlayerPageInput, now: datetime, here_at: datetime) -> PlayerState:
    if facts.player_status == "checked_in":
        return PlayerState.HERE
    if now >= here_at:
        return PlayerState.ARRIVING
    if now >= facts.day:
        return PlayerState.EARLY
    return PlayerState.SIGNED_UP if facts.registration_open else PlayerState.REGISTERED


def _leaving(facts: PlayerPageInput, state: PlayerState) -> DropConsequence:
    if state in DONE:
        return DropConsequence.NOT_OFFERED
    if state is PlayerState.WAITING:
        return DropConsequence.LEAVES_LINE
    if facts.event_state != "running":
        return DropConsequence.FREES_PLACE
    if state is PlayerState.PLAYING:
        return DropConsequence.LOSES_MATCH
    return DropConsequence.LEAVES_REPORT if state in AT_TABLE else DropConsequence.NO_MORE
