"""The state of a stage, from which rounds are paired, and the kinds of stages.

Settings of kinds are data, from which JSON, checks and forms are derived. Only ``rules/stages``
compares kinds: all differences between them are attributes and methods of ``StageKind``. A new kind
is one module that adds an object to ``STAGE_KINDS``. ``state_before_round`` is the state before one
of a stage's rounds, reconstructed from the current state.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rules.brackets import BracketMatch, SeedSource
from rules.errors import RuleError
from rules.plans import MOST_LEGS, StagePlan
from rules.registry import Registry
from rules.results import (
    MatchEnding,
    Outcome,
    PlayerId,
    Points,
    Result,
    SeatMark,
    outcome_by_places,
    void_outcome,
)
from rules.tables.field import SmallTableRule
from rules.tables.results import POINT_PRESETS, TablePoints
from rules.tables.rounds import USUAL_SIZES
from rules.wording import Sentence, labelled_value
from rules.wording import gettext_noop as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Players who are to meet in a round, in seat order, or one player with a bye.

    ``number`` counts through the stage from 1; in a knock-out it is the match's number in the
    bracket. ``draws``: the match may be drawn. ``outcome`` is set if it is settled without play;
    ``reason`` explains a pairing that does not follow from the schedule. ``missed``: a round in
    which the only player was absent, as a late entry or having left meanwhile. ``by_hand``: paired
    by staff.
    """

    group: str
    number: int
    seats: tuple[PlayerId, ...]
    best_of: int = 1
    draws: bool = True
    leg: int = 1
    outcome: Outcome | None = None
    reason: Sentence | None = None
    missed: bool = False
    by_hand: bool = False


Pairs = frozenset[frozenset[PlayerId]]
Played = tuple[tuple[Pairing, Result], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TiebreakerRound:
    """A round of tiebreaker matches between tied players (``level``).

    It only affects their order. ``after`` is the number of random draws in the event before it.
    """

    level: tuple[PlayerId, ...]
    played: Played
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageState:
    """A stage in play: its seats, its rounds, and the players who left.

    ``seats`` maps group names to players in seat order, None for a vacant place. ``legs``: how
    often all meet in groups, 2 once a second leg is decided. ``withdrawn`` are players withdrawn or
    disqualified; all matches of ``struck`` players are void. Stages paired by points need the
    ``points`` of results (``table_points`` at multiplayer tables) and a random ``seed``; the pairs
    ``apart`` are avoided in the next round if possible. ``rounds_apart`` holds, for each round
    made, the pairs that were avoided then. ``tiebreaker_rounds`` are separate from ``rounds``.
    """

    plan: StagePlan
    seats: Mapping[str, tuple[PlayerId | None, ...]]
    legs: int = 1
    rounds: tuple[Played, ...] = ()
    withdrawn: frozenset[PlayerId] = frozenset()
    struck: frozenset[PlayerId] = frozenset()
    points: Points = field(default_factory=Points)
    table_points: TablePoints = POINT_PRESETS["win5"]
    seed: str = ""
    apart: Pairs = frozenset()
    rounds_apart: tuple[Pairs, ...] = ()
    tiebreaker_rounds: tuple[TiebreakerRound, ...] = ()

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Return all seated players, group by group, in seat order."""
        return tuple(player for group in self.plan.groups for player in self.seated(group.name))

    def seated(self, group: str) -> tuple[PlayerId, ...]:
        """Return the players of one group in seat order, without vacant places."""
        return tuple(player for player in self.seats.get(group, ()) if player is not None)

    @property
    def is_played(self) -> bool:
        """Return whether all matches of the rounds made have a result."""
        return all(result.is_played for made in self.rounds for _pairing, result in made)

    def results_of(self, group: str) -> tuple[Result, ...]:
        """Return the results of one group, in the order of rounds."""
        return tuple(
            result for played in self.rounds for pairing, result in played if pairing.group == group
        )


def forfeit_outcome(seats: Sequence[PlayerId], withdrawn: Collection[PlayerId]) -> Outcome | None:
    """Return the outcome of a match by forfeit, None while two or more have not withdrawn.

    The remaining player wins; if nobody is left, nobody does. At a multiplayer table those who have
    left are marked as conceded.
    """
    left = [player for player in seats if player not in withdrawn]
    if len(left) > 1:
        return None
    places = tuple(1 if player in left else 2 for player in seats)
    gone = tuple(
        (seat, SeatMark.CONCEDED) for seat, place in enumerate(places, start=1) if place == 2
    )
    return outcome_by_places(
        places,
        gone if len(seats) > 2 else (),
        MatchEnding.CONCESSION if left else MatchEnding.DOUBLE_LOSS,
        seats=len(seats),
    )


def outcome_by_rule(seats: Sequence[PlayerId], state: StageState) -> Outcome | None:
    """Return the outcome of an unplayed match that is settled without play, else None.

    It is void with a struck player, a forfeit if withdrawn players leave fewer than two.
    """
    struck = not state.struck.isdisjoint(seats)
    return void_outcome(len(seats)) if struck else forfeit_outcome(seats, state.withdrawn)


def require_results(state: StageState) -> None:
    """Raise RuleError ``results_missing`` unless all matches of the rounds made are played."""
    if not state.is_played:
        raise RuleError(
            "results_missing",
            "Enter the missing results first.",
        )


def scheduled_pairing(
    state: StageState,
    group: str,
    number: int,
    a: PlayerId,
    b: PlayerId,
    *,
    draws: bool = True,
    leg: int = 1,
) -> Pairing:
    """Return the scheduled pairing of two players, settled by rule if one of them has left.

    ``number`` is the match's in the stage; ``draws``: it may end in a draw.
    """
    return Pairing(
        group=group,
        number=number,
        seats=(a, b),
        best_of=state.plan.best_of[0],
        draws=draws,
        leg=leg,
        outcome=outcome_by_rule((a, b), state),
    )


def strike_player(state: StageState, player: PlayerId) -> StageState:
    """Return the stage with this player struck: all their matches become void."""
    rounds = tuple(_all_without(played, player) for played in state.rounds)
    extra = tuple(
        replace(item, played=_all_without(item.played, player)) for item in state.tiebreaker_rounds
    )
    return replace(state, rounds=rounds, tiebreaker_rounds=extra, struck=state.struck | {player})


def _all_without(played: Played, player: PlayerId) -> Played:
    return tuple((pairing, _voided_if_of(result, player)) for pairing, result in played)


def _voided_if_of(result: Result, player: PlayerId) -> Result:
    if player not in result.seats:
        return result
    return replace(result, outcome=void_outcome(len(result.seats)))


Value = int | bool | str | tuple[int, ...]
MOST = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting that a kind of stage has; ``usual`` is its default.

    It is a flag if the default is a bool, else a number from ``least`` to ``most``. Stages of
    multiplayer tables also have a list of sizes, and a text: who sits at the small tables.
    """

    key: str
    label: Sentence
    usual: Value
    least: int = 0
    most: int = MOST

    @property
    def is_flag(self) -> bool:
        """Return whether the value is a flag."""
        return isinstance(self.usual, bool)


class ConfiguredStage(Protocol):
    """A stage of a plan or of a custom formula, as far as kinds of stages read its settings.

    Shared settings are attributes, those of one kind only are in ``own``.
    """

    @property
    def own(self) -> tuple[tuple[str, Value], ...]:
        """Return the settings specific to this kind of stage."""

    @property
    def survivors(self) -> int:
        """Return the number of players that a bracket leaves."""

    @property
    def third_place(self) -> bool:
        """Return whether there is a match for third place."""


LEGS = Setting(key="legs", label=Sentence("Matches per pair"), usual=1, least=1, most=MOST_LEGS)
WITHOUT_LAST = Setting(
    key="without_last", label=Sentence("Matches against last place don’t count"), usual=False
)
ROUNDS = Setting(key="rounds", label=Sentence("Number of rounds"), usual=0)
"""0 means derived from the number of players."""
THIRD_PLACE = Setting(key="third_place", label=Sentence("Match for third place"), usual=False)
SURVIVORS = Setting(key="survivors", label=Sentence("Players left at the end"), usual=1)
APART = Setting(
    key="apart",
    label=Sentence("Players from the same group meet again as late as possible"),
    usual=False,
)
SIZES = Setting(
    key="sizes", label=Sentence("Players per table, preferred size first"), usual=USUAL_SIZES
)
SMALL = Setting(
    key="small", label=Sentence("Who sits at the small tables"), usual=str(SmallTableRule.LOW)
)
SEEDED = Setting(key="seeded", label=Sentence("First round paired by seed"), usual=False)
"""Set at the start of an event some of whose players have a seed position."""
SECOND_FINAL = Setting(
    key="second_final",
    label=Sentence("The winner of the lower bracket must win the grand final twice"),
    usual=True,
)
SHARED: Mapping[str, Setting] = {
    setting.key: setting
    for setting in (LEGS, WITHOUT_LAST, ROUNDS, THIRD_PLACE, SURVIVORS, APART, SECOND_FINAL)
}
"""Settings that are fields of ``StagePlan``; those of a single kind are in its ``own``."""

Matches = tuple[BracketMatch, ...]


Meetings = tuple[tuple[tuple[PlayerId, PlayerId], ...], ...]
"""The pairs of players of each round."""


class StageKind(ABC):
    """A kind of stage, such as Swiss; it has no state of its own.

    ``settings`` are those besides name, groups, games and time limit; ``sizes`` the possible
    numbers of players in a match, the preferred first; ``most`` the maximum number of players in a
    group. The other attributes are capabilities, all off by default.
    """

    key: str
    """The key used in plans."""
    label: Sentence
    """The label in the builder of formulas."""
    settings: tuple[Setting, ...] = ()
    sizes: tuple[int, ...] = (2,)
    """Numbers of players of a match, the preferred first; a plan may have others (`sizes_of`)."""
    most: int = MOST
    """Maximum number of players in a group."""
    several_groups: bool = False
    has_bracket: bool = False
    """Matches are known in advance, losers are out or drop down; otherwise there is a table."""
    two_brackets: bool = False
    """Losers drop into a lower bracket; its parts and their rounds have labels."""
    all_meet: bool = False
    """All players of a group meet once per leg, by a schedule independent of results."""
    pairs_by_points: bool = False
    """Rounds are paired by points without withdrawn players; staff may edit them."""
    honours_byes: bool = False
    """Byes that players were awarded before the start are given in its rounds (``byes``)."""
    needs_seed: bool = False
    """Pairings are randomised, so a stage draws a seed when it opens."""
    admits_late: bool = False
    """Late entries are possible, into its only group."""
    games_asked: int = 1
    """Minimum number of parts of a bracket for which the builder asks the games of a match."""

    @abstractmethod
    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the next pairings, () when all rounds have been made.

        Raises RuleError ``results_missing`` if they depend on missing results.
        """

    @abstractmethod
    def total_rounds(self, state: StageState) -> int:
        """Return the number of rounds, with the legs decided so far."""

    @abstractmethod
    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return the label of the ``number``-th round of the stage, from 1."""

    def meetings(self, state: StageState, group: str) -> Meetings:
        """Return who meets whom in each round of a group, () where results decide it."""
        return ()

    def is_over(self, state: StageState) -> bool:
        """Return whether no round is to come, provided that all matches are played.

        A bracket also ends where nobody is left to meet.
        """
        if self.has_bracket:
            return not self.next_round(state)
        return len(state.rounds) >= self.total_rounds(state)

    def with_round_to_come(self, state: StageState) -> frozenset[PlayerId]:
        """Return the players whom a round not made yet would pair: all of them until the last."""
        more = len(state.rounds) < self.total_rounds(state)
        return frozenset(state.players) if more else frozenset()

    def openings(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the pairings of the last round that somebody who comes late can join, best first.

        None in most kinds.
        """
        return ()

    @property
    def has_table(self) -> bool:
        """Return whether players are ranked by criteria and advance by rank."""
        return not self.has_bracket

    @property
    def names_rounds(self) -> bool:
        """Return whether its rounds have names, as a final has; others are numbered."""
        return self.has_bracket

    @property
    def needs_winners(self) -> bool:
        """Return whether a match says who goes on, so that none of them can be void."""
        return self.has_bracket

    @property
    def usual_name(self) -> Sentence:
        """Return the default name of a new stage of this kind."""
        return self.label

    # --- Settings --------------------------------------------------------------------------------
    def has_setting(self, key: str) -> bool:
        """Return whether stages of this kind have a setting."""
        return any(setting.key == key for setting in self.settings)

    @property
    def own_settings(self) -> tuple[Setting, ...]:
        """Return the settings that are not fields of ``StagePlan`` and so stored in ``own``."""
        return tuple(setting for setting in self.settings if setting.key not in SHARED)

    def value_of(self, stage: ConfiguredStage, key: str) -> Value:
        """Return one of the kind's own settings, or its default."""
        usual = {setting.key: setting.usual for setting in self.own_settings}
        return {**usual, **dict(stage.own)}[key]

    def sizes_of(self, stage: ConfiguredStage) -> tuple[int, ...]:
        """Return the sizes of a stage's matches, the preferred first."""
        sizes = self.value_of(stage, SIZES.key) if self.has_setting(SIZES.key) else self.sizes
        return sizes if isinstance(sizes, tuple) else self.sizes

    def own_order(self, state: StageState) -> tuple[PlayerId, ...] | None:
        """Return the players in the order of the stage, None where criteria rank them."""
        return None

    # --- Brackets --------------------------------------------------------------------------------
    def matches(self, plan: StagePlan) -> Matches:
        """Return the matches of a bracket in the order of their numbers; () without one."""
        return ()

    def named_matches(self, seats: int, stage: ConfiguredStage) -> Matches:
        """Return the matches whose places a custom formula can name; () without a bracket.

        They are the same for all numbers of seats with as many rounds.
        """
        return ()

    def game_parts(self, asked: int) -> tuple[Sentence, ...]:
        """Return labels of the parts of a bracket with separate numbers of games, the last first.

        ``asked`` is the number of parts that already have one; () means one number for all
        matches.
        """
        return ()

    # --- In numbers and words --------------------------------------------------------------------
    def matches_by_round(self, state: StageState) -> list[int]:
        """Return the number of matches in each round, with all seats taken and no byes."""
        plan = state.plan
        if not self.has_bracket:
            pairs = sum(len(group.seats) // 2 for group in plan.groups)
            return [pairs] * self.total_rounds(state)
        shape = self.matches(plan)
        sizes = [0] * max((match.round for match in shape), default=0)
        for match in shape:
            seats = [source.number for source in match.sources if isinstance(source, SeedSource)]
            sizes[match.round - 1] += all(number <= plan.size for number in seats)
        return sizes

    def describe(self, plan: StagePlan, rounds: int) -> Iterator[Sentence]:
        """Yield the facts of a stage; ``rounds`` is for all seats taken."""
        values: dict[str, object] = {"stage": plan.label, "players": plan.size, "rounds": rounds}
        if plan.label == self.label or plan.label == self.usual_name:
            words = _("%(stage)s · Players: %(players)s · Rounds: %(rounds)s")
        else:
            values["kind"] = self.label
            words = _("%(stage)s (%(kind)s) · Players: %(players)s · Rounds: %(rounds)s")
        yield Sentence(words, values)
        if len(plan.groups) > 1:
            sizes = tuple(f"{group.name} {len(group.seats)}" for group in plan.groups)
            yield labelled_value(_("Groups"), sizes)
        if self.all_meet and plan.legs > 1:
            yield labelled_value(_("Matches per pair"), plan.legs)


STAGE_KINDS = Registry("stage_kind", StageKind)


def stage_kind(plan: StagePlan) -> StageKind:
    """Return the kind of a planned stage; raises BadInput ``unknown_stage_kind``."""
    return STAGE_KINDS.get(plan.kind)


def bracket_matches(plan: StagePlan) -> Matches:
    """Return the matches of a stage's bracket, in the order of their numbers."""
    return stage_kind(plan).matches(plan)


def state_with_all_seats(plan: StagePlan) -> StageState:
    """Return the state of a planned stage before its first round, as if all seats were taken."""
    return StageState(
        plan=plan, seats={group.name: group.seats for group in plan.groups}, legs=plan.legs
    )


def is_complete(state: StageState) -> bool:
    """Return whether all rounds of a stage have been made and played.

    That is with the legs decided so far.
    """
    return state.is_played and stage_kind(state.plan).is_over(state)


def has_multiplayer_tables(plan: StagePlan) -> bool:
    """Return whether a stage's matches are multiplayer tables, with places and own tiebreakers."""
    return max(stage_kind(plan).sizes) > 2


def custom_stage_kinds() -> Iterator[StageKind]:
    """Yield the kinds of stage that custom formulas may have, in display order.

    Those with standings come before those with a bracket; those of multiplayer tables are left out.
    """
    of_two = (kind for kind in STAGE_KINDS if max(kind.sizes) == 2)
    yield from sorted(of_two, key=lambda kind: kind.has_bracket)


MOST_BYES = 9
"""Maximum rounds in which a player has a bye from the start."""


def awarded_byes(state: StageState) -> Mapping[PlayerId, int]:
    """Return the players with an awarded bye in the next round.

    Maps each to the number of first rounds with such a bye, in seat order, without players who have
    left.
    """
    following, byes = len(state.rounds) + 1, dict(state.plan.byes)
    return {
        player: byes[player]
        for player in state.players
        if byes.get(player, 0) >= following and player not in state.withdrawn
    }


Met = tuple[str, int, tuple[PlayerId, ...]]


def state_before_round(state: StageState, index: int) -> StageState:
    """Return the stage as it was before the round with this index (from 0) was made.

    In Swiss rounds only the players of that round are present: later entries are not, players who
    left later are, and the pairs to avoid are those of that time. In other stages nothing but the
    rounds changes.
    """
    before = replace(state, rounds=state.rounds[:index])
    if not stage_kind(state.plan).pairs_by_points:
        return before
    there = {player for _group, _number, pair in paired_matches(state, index) for player in pair}
    apart = state.rounds_apart[index] if state.rounds_apart else frozenset()
    return replace(before, withdrawn=frozenset(state.players) - there, apart=apart)


def paired_matches(state: StageState, index: int) -> frozenset[Met]:
    """Return (group, number, players) of each match paired in a round (index from 0)."""
    return frozenset(
        (pairing.group, pairing.number, pairing.seats)
        for pairing, _result in state.rounds[index]
        if not pairing.missed
    )


def is_paired_by_hand(state: StageState, index: int, *, draft: bool) -> bool:
    """Return whether staff paired some matches of a round (index from 0).

    The rules alone can't reproduce it then. In a Swiss ``draft`` that includes present players who
    are in no match; in a published round such players were absent when it was made, and may have
    come back since.
    """
    if any(pairing.by_hand for pairing, _result in state.rounds[index]):
        return True
    if not stage_kind(state.plan).pairs_by_points or not draft:
        return False
    seated = {player for pairing, _result in state.rounds[index] for player in pairing.seats}
    return any(player not in seated | state.withdrawn for player in state.players)
