"""Kinds of stages and their capabilities, and the labels of brackets.

Only ``rules/stages`` compares kinds: all differences between them are attributes and methods of
``StageKind``. A new kind is one module that adds an object to ``STAGE_KINDS``.
``state_before_round`` is the state before one of a stage's rounds, reconstructed from the current
state.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules.brackets import BracketMatch, SeedSource
from rules.plans import StagePlan
from rules.registry import Registry
from rules.results import PlayerId
from rules.stages.base import (
    MOST,
    SHARED,
    SIZES,
    ConfiguredStage,
    Pairing,
    Setting,
    StageState,
    Value,
)
from rules.wording import Sentence, labelled_value
from rules.wording import gettext_noop as _


def final_label(plan: StagePlan) -> Sentence:
    """Return the label of a knock-out's last match.

    "Final", or the place it is played for if better players continue elsewhere.
    """
    if plan.ranks_from > 1:
        return Sentence("For place %(place)s", {"place": plan.ranks_from})
    return Sentence("Final")


def match_label(plan: StagePlan, match: BracketMatch) -> Sentence:
    """Return the label of a bracket match.

    The grand final and a match for third place are named so, others have their number.
    """
    if match.third_place and plan.ranks_from > 1:
        return Sentence("For place %(place)s", {"place": plan.ranks_from + 2})
    return match.label


ROUNDS = (
    *(Sentence("Semi-finals"), Sentence("Quarter-finals"), Sentence("Round of 16")),
    *(Sentence("Round of 32"), Sentence("Round of 64"), Sentence("Round of 128")),
)
"""The labels of rounds by their distance from the last one, from 1."""


def round_label(distance: int) -> Sentence:
    """Return the label of a knock-out's round before the last, such as "Quarter-finals".

    ``distance`` is the number of rounds to the last one, from 1.
    """
    if distance <= len(ROUNDS):
        return ROUNDS[distance - 1]
    return Sentence("Round of %(players)s", {"players": 2 ** (distance + 1)})


def describe_knockout(stage: StagePlan) -> Iterator[Sentence]:
    """Yield messages on a knock-out or play-in: its last match, games, time limit.

    The number of players is left out.
    """
    if stage.survivors > 1:
        yield Sentence("Advancing: %(count)s", {"count": stage.survivors})
        return
    yield _games_of(final_label(stage), stage)
    if not stage.timed:
        yield Sentence("No time limit")
    if stage.third_place and stage.ranks_from > 1:
        yield Sentence("For place %(place)s", {"place": stage.ranks_from + 2})
    elif stage.third_place:
        yield Sentence("Match for third place")


def describe_double_elimination(stage: StagePlan) -> Iterator[Sentence]:
    """Yield messages on a double elimination: grand final, games, time limit."""
    yield _games_of(Sentence("Grand final"), stage)
    if stage.second_final:
        yield Sentence("The winner of the lower bracket must win the grand final twice")
    if not stage.timed:
        yield Sentence("No time limit")


def _games_of(match: Sentence, stage: StagePlan) -> Sentence:
    games = Sentence("Best of %(games)s", {"games": stage.best_of[0]})
    if stage.best_of[0] == 1:
        games = Sentence("One game")
    return Sentence("%(label)s: %(value)s", {"label": match, "value": games})


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
