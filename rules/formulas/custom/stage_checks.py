"""Checks of each stage of a custom formula by itself: groups, settings, sizes."""

from collections import Counter
from collections.abc import Callable, Iterator

from rules.formulas.custom.definition import Definition, StageDefinition
from rules.formulas.custom.fault_wording import Faults, in_stage
from rules.formulas.custom.sizes import sizes_of
from rules.formulas.rounds_and_cut import MOST_ROUNDS
from rules.names import name_key
from rules.stages.kind import STAGE_KINDS
from rules.stages.settings import LEGS, SHARED
from rules.wording import Sentence
from rules.wording import gettext_noop as _

MOST_GAMES = 9
SMALLEST = 2
THIRD_PLACE_FROM = 4


def stage_faults(definition: Definition) -> Faults:
    """Yield faults of groups and settings that do not depend on the number of players."""
    if not definition.stages:
        yield Sentence("The formula has no stage.")
    names = Counter(name_key(stage.name) for stage in definition.stages)
    for number, stage in enumerate(definition.stages, start=1):
        if names[name_key(stage.name)] > 1:
            yield in_stage(definition, number, Sentence("Another stage has this name."))
        yield from _group_faults(definition, number, stage)
        for problem in _setting_faults(stage):
            yield in_stage(definition, number, problem)
    if definition.stages:
        last = definition.stages[-1]
        if len(last.groups) > 1 or last.survivors > 1:
            words = _("The last stage decides who wins: one group, and one player is left.")
            yield in_stage(definition, len(definition.stages), Sentence(words))


def _group_faults(definition: Definition, number: int, stage: StageDefinition) -> Faults:
    if not stage.groups:
        yield in_stage(definition, number, Sentence("It has no group."))
    if len(stage.groups) > 1 and not STAGE_KINDS.get(stage.kind).several_groups:
        yield in_stage(definition, number, Sentence("A stage of this kind has one group."))
    names = Counter(name_key(group.name) for group in stage.groups)
    for group in stage.groups:
        if names[name_key(group.name)] > 1:
            problem = Sentence("Another group of the stage has this name.")
            yield in_stage(definition, number, problem, group)
        if group.entrants == ():
            yield in_stage(definition, number, Sentence("It has no players."), group)
        if group.entrants is None and number > 1:
            problem = Sentence("Only the first stage spreads the players of the start.")
            yield in_stage(definition, number, problem, group)


def _setting_faults(stage: StageDefinition) -> Iterator[Sentence]:
    kind = STAGE_KINDS.get(stage.kind)
    for key, setting in SHARED.items():
        if not kind.has_setting(key) and getattr(stage, key) != setting.usual:
            words = _("A stage of this kind has no %(setting)s.")
            yield Sentence(words, {"setting": setting.label})
    if any((games % 2 == 0 and games) or games > MOST_GAMES for games in stage.best_of):
        yield Sentence(
            "A match is best of 1, 3, 5 … %(most)s games, or 0: as the game plays.",
            {"most": MOST_GAMES},
        )
    if not stage.best_of or (len(stage.best_of) > 1 and kind.has_table):
        yield Sentence("Say once how many games a match has; by round only in a knock-out.")
    if not LEGS.least <= stage.legs <= LEGS.most:
        yield Sentence("Each pair meets one to %(most)s times.", {"most": LEGS.most})
    if stage.rounds > MOST_ROUNDS:
        yield Sentence("There can be at most %(most)s rounds.", {"most": MOST_ROUNDS})
    if not stage.survivors:
        yield Sentence("At least one player must be left.")
    if stage.third_place and stage.survivors > 1:
        yield Sentence("There is no match for third place where several are left.")


def size_faults(definition: Definition, players: int) -> Faults:
    """Yield the groups whose size is invalid with this number of players."""
    for number, sizes in enumerate(sizes_of(definition, players), start=1):
        stage = definition.stages[number - 1]
        for group in stage.groups:
            size = sizes[group.name]
            values: dict[str, object] = {"players": players, "size": size}
            for fits, problem, limit in _size_limits(stage):
                if size and not fits(size):
                    yield in_stage(
                        definition, number, Sentence(problem, {**values, "limit": limit}), group
                    )


Limit = tuple[Callable[[int], bool], str, int]


def _size_limits(stage: StageDefinition) -> Iterator[Limit]:
    """Yield the limits of a stage's group sizes, with the sentence for their violation."""
    most = STAGE_KINDS.get(stage.kind).most
    yield (
        lambda size: size >= SMALLEST,
        _("With %(players)s players it has %(size)s; it needs at least %(limit)s."),
        SMALLEST,
    )
    yield (
        lambda size: size <= most,
        _("With %(players)s players it has %(size)s; at most %(limit)s can play in it."),
        most,
    )
    if stage.survivors > 1:
        yield (
            lambda size: size > stage.survivors,
            _("With %(players)s players it has %(size)s, so it can't bring them to %(limit)s."),
            stage.survivors,
        )
    if stage.third_place:
        yield (
            lambda size: size >= THIRD_PLACE_FROM,
            _(
                "With %(players)s players it has %(size)s; a match for third place needs at "
                "least %(limit)s."
            ),
            THIRD_PLACE_FROM,
        )
