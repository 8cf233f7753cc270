"""What a kind of stage is: how it makes rounds, and what everything else asks of it.

Nothing outside of ``rules/stages`` compares kinds: what differs between them is said here, and a
new kind is one module that adds an object to ``STAGE_KINDS``.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from rules.brackets.single import BracketMatch, Seat
from rules.plans.plan import StagePlan
from rules.registry import Registry
from rules.stages.base import Pairing, StageState
from rules.stages.bracket_wording import match_label
from rules.stages.settings import MOST, SHARED, Configured, Setting, Value
from rules.wording import Sentence
from rules.wording import gettext_noop as _

Matches = tuple[BracketMatch, ...]


class StageKind(ABC):
    """One kind of stage; it holds no state of its own.

    ``settings`` are those that a stage of it has beside name, groups, games and time limit. The
    words after it are capabilities, none of which a kind has that does not say so.
    """

    key: str
    """The name that plans use."""
    label: Sentence
    """What the builder of formulas calls it."""
    settings: tuple[Setting, ...] = ()
    most: int = MOST
    """How many players a group may have."""
    several_groups: bool = False
    has_bracket: bool = False
    """Matches are named beforehand, who loses goes out or down; without it, there is a table."""
    two_brackets: bool = False
    """Who loses goes down into a lower bracket: parts and rounds of each have names."""
    all_meet: bool = False
    """In a group everybody meets everybody once a leg, by a schedule that no result changes."""
    pairs_by_points: bool = False
    """A round is paired from the points so far, without who has left, and people may repair it."""
    needs_seed: bool = False
    """Its pairings need random numbers, so a stage draws a seed when it opens."""
    admits_late: bool = False
    """Somebody may enter after the start, into its only group."""
    games_asked: int = 1
    """For how many parts of a bracket the builder asks, at least, how many games a match has."""
    why_fixed: Sentence = Sentence(
        _("The rules of this stage say who meets whom; tables can be exchanged.")
    )
    """What the page of a draft says where people can't pair, as they can by ``pairs_by_points``."""
    not_by_hand: Sentence = Sentence(
        _(
            "The rules of this stage say who meets whom. Nothing was changed: only tables can be "
            "exchanged."
        )
    )
    """The refusal of an exchange of players."""

    @abstractmethod
    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the next pairings, () when all rounds have been made.

        Raises RuleError ``results_missing`` where they depend on results that are missing.
        """

    @abstractmethod
    def total_rounds(self, state: StageState) -> int:
        """Return how many rounds the stage has, with the legs decided so far."""

    @abstractmethod
    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Name the ``number``-th round of the stage, from 1."""

    def is_over(self, state: StageState) -> bool:
        """Say whether no round is to come, all matches so far being played."""
        return not self.next_round(state)

    @property
    def has_table(self) -> bool:
        """Say whether players are ranked by criteria and go on by rank."""
        return not self.has_bracket

    @property
    def usual_name(self) -> Sentence:
        """Return what a new stage of this kind is called."""
        return self.label

    # --- Settings --------------------------------------------------------------------------------
    def has_setting(self, key: str) -> bool:
        """Say whether stages of this kind have a setting."""
        return any(setting.key == key for setting in self.settings)

    @property
    def own_settings(self) -> tuple[Setting, ...]:
        """Return the settings that are no fields of a stage's plan, so stand in its ``own``."""
        return tuple(setting for setting in self.settings if setting.key not in SHARED)

    def value_of(self, stage: Configured, key: str) -> Value:
        """Return one of the kind's own settings; the usual value where the stage has none."""
        usual = {setting.key: setting.usual for setting in self.own_settings}
        return {**usual, **dict(stage.own)}[key]

    # --- Brackets --------------------------------------------------------------------------------
    def matches(self, plan: StagePlan) -> Matches:
        """Return the matches of a bracket, in the order of their numbers; () without one."""
        return ()

    def named_matches(self, seats: int, stage: Configured) -> Matches:
        """Return the matches whose places a formula of one's own can name.

        They are the same for all numbers of seats with as many rounds; () without a bracket.
        """
        return ()

    def describe_match(self, plan: StagePlan, match: BracketMatch) -> Sentence:
        """Name a match of a bracket for who is to play it: by its round where it has no name."""
        return match_label(plan, match)

    def game_parts(self, asked: int) -> tuple[Sentence, ...]:
        """Name the parts of a bracket for which the games of a match are asked, the last first.

        ``asked`` is for how many parts numbers are there already; () asks once for all matches.
        """
        return ()

    # --- In numbers and words --------------------------------------------------------------------
    def matches_by_round(self, state: StageState) -> list[int]:
        """Return how many matches each round has in a stage whose seats are all taken, no byes."""
        plan = state.plan
        if not self.has_bracket:
            pairs = sum(len(group.seats) // 2 for group in plan.groups)
            return [pairs] * self.total_rounds(state)
        shape = self.matches(plan)
        sizes = [0] * max((match.round for match in shape), default=0)
        for match in shape:
            seats = [source.number for source in match.sources if isinstance(source, Seat)]
            sizes[match.round - 1] += all(number <= plan.size for number in seats)
        return sizes

    def describe(self, plan: StagePlan, rounds: int) -> Iterable[Sentence]:
        """Return a bracket in words; ``rounds`` are those with every seat taken."""
        words = _("%(stage)s: players: %(players)s. Rounds: %(rounds)s.")
        yield Sentence(words, {"stage": plan.label, "players": plan.size, "rounds": rounds})


STAGE_KINDS: Registry[StageKind] = Registry("stage_kind")


def kind_of(plan: StagePlan) -> StageKind:
    """Return the kind of a planned stage; raises BadInput ``unknown_stage_kind``."""
    return STAGE_KINDS.get(plan.kind)


def shape_of(plan: StagePlan) -> Matches:
    """Return the matches of a stage's bracket, in the order of their numbers."""
    return kind_of(plan).matches(plan)


def full_state(plan: StagePlan) -> StageState:
    """Return a planned stage before its first round, every seat taken."""
    return StageState(
        plan=plan, seats={group.name: group.seats for group in plan.groups}, legs=plan.legs
    )


def is_complete(state: StageState) -> bool:
    """Say whether all rounds have been made, with the legs decided so far, and played."""
    if any(result.winner is None for played in state.rounds for _pairing, result in played):
        return False
    return kind_of(state.plan).is_over(state)


def ordered_kinds() -> Iterator[StageKind]:
    """Yield the kinds as people are offered them: those with a table, then those with a bracket."""
    yield from sorted(STAGE_KINDS, key=lambda kind: kind.has_bracket)
