"""Check that a custom formula can be played with every number of players in its range.

Groups, settings and sizes of each stage are valid, every source exists and is used once, and better
places lead at least as far as worse ones: the final ranking goes by stages, the last first, so a
place that leads to a later stage than a better one would rank its holder above players who did
better.

Source: tournament rules, Other formulas to ship (Custom): every place is taken once, every
entrant has a source, sizes are valid, and the last stage decides.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise

from rules.brackets import BracketMatch, MatchSource, SeedSource
from rules.formulas.custom.definition import (
    BestOfRank,
    Faults,
    FormulaDefinition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    Source,
    StageDefinition,
    StageSource,
    StartPlace,
    describe_source,
    group_sizes_by_stage,
    representative_sizes,
    stage_bracket_matches,
    stage_fault,
)
from rules.formulas.swiss_cut import MOST_ROUNDS
from rules.names import name_key
from rules.stages.base import LEGS, SHARED, STAGE_KINDS
from rules.wording import Sentence
from rules.wording import gettext_noop as _

Result = tuple[int, bool]
"""A match number, and whether the match was won."""


def source_result(source: MatchWinner | MatchLoser) -> Result:
    """Return (match number, whether it is won) of the result that gives a place."""
    if isinstance(source, MatchWinner):
        return source.winner, True
    return source.loser, False


def following_matches(matches: Sequence[BracketMatch]) -> dict[Result, tuple[int, ...]]:
    """Return the matches that the players of a result go to, as numbers.

    The keys are (match number, whether it is won).
    """
    found: dict[Result, tuple[int, ...]] = {}
    for match in matches:
        for source in match.sources:
            if isinstance(source, MatchSource):
                before = found.get((source.match, source.winner), ())
                found[source.match, source.winner] = (*before, match.number)
    return found


def overlapping_places(
    matches: Sequence[BracketMatch], taken: Sequence[StageSource]
) -> Iterator[tuple[StageSource, StageSource]]:
    """Yield pairs of bracket places that the same player may hold.

    One of them is on the path to the other. ``taken`` are the places that later stages use.
    """
    by_result = {
        source_result(source): source
        for source in taken
        if isinstance(source, MatchWinner | MatchLoser)
    }
    leads = following_matches(matches) if by_result else {}
    for result, source in by_result.items():
        to_come = {
            (match, won) for match in _reachable_matches(result, leads) for won in (True, False)
        }
        for other in sorted(to_come & set(by_result)):
            yield source, by_result[other]


def _reachable_matches(result: Result, leads: Mapping[Result, tuple[int, ...]]) -> frozenset[int]:
    """Return the matches that a player may reach after a result."""
    found: set[int] = set()
    waiting = [*leads.get(result, ())]
    while waiting:
        match = waiting.pop()
        if match not in found:
            found.add(match)
            waiting += [*leads.get((match, True), ()), *leads.get((match, False), ())]
    return frozenset(found)


def matches_with_loser(matches: Sequence[BracketMatch], seats: int) -> frozenset[int]:
    """Return the numbers of the matches with two players if so many seats are taken."""
    filled: dict[Result, bool] = {}
    for match in matches:
        sides = [
            source.number <= seats
            if isinstance(source, SeedSource)
            else filled[source.match, source.winner]
            for source in match.sources
        ]
        filled[match.number, True], filled[match.number, False] = any(sides), all(sides)
    return frozenset(number for (number, won), there in filled.items() if there and not won)


Pair = tuple[StageSource, StageSource]


def advancement_faults(definition: FormulaDefinition, players: int) -> Faults:
    """Yield faults of places that lead further than a better place of the same stage.

    Requires that all places exist with this number of players.
    """
    reach = _farthest_stages(definition)
    for number, stage in enumerate(definition.stages, start=1):
        sizes = group_sizes_by_stage(definition, players)[number - 1]
        if STAGE_KINDS.get(stage.kind).has_table:
            pairs = _pairs_of_ranks(number, sizes, reach)
        else:
            pairs = _pairs_of_matches(number, stage, sizes, reach)
        for better, worse in pairs:
            problem = Sentence(
                "“%(worse)s” can advance further than “%(better)s”.",
                {"worse": describe_source(worse), "better": describe_source(better)},
            )
            yield stage_fault(definition, number, problem)


def _farthest_stages(definition: FormulaDefinition) -> dict[StageSource, int]:
    """Return the last stage that the holder of each taken place may play in."""
    reach: dict[StageSource, int] = {}
    furthest: dict[tuple[int, str], int] = {}
    for number in range(len(definition.stages), 0, -1):
        stage = definition.stages[number - 1]
        taken = tuple(definition.taken_from(number))
        for group in stage.groups:
            own = [s for s in taken if not isinstance(s, GroupRank) or s.group == group.name]
            furthest[number, group.name] = max([number, *(reach[source] for source in own)])
        for group, source in stage.sources:
            if not isinstance(source, StartPlace):
                reach[source] = furthest[number, group.name]
    return reach


def _pairs_of_ranks(
    number: int, sizes: Mapping[str, int], reach: Mapping[StageSource, int]
) -> Iterator[Pair]:
    """Yield a better and a worse rank of a group, or of the players compared on one rank."""
    compared: dict[int, list[StageSource]] = {}
    best_of_ranks = (source for source in reach if isinstance(source, BestOfRank))
    for rank in sorted({source.best for source in best_of_ranks if source.stage == number}):
        having = sum(size >= rank for size in sizes.values())
        level = [BestOfRank(stage=number, best=rank, nth=nth) for nth in range(1, having + 1)]
        compared[rank] = list(level)
        yield from _first_inversion(level, number, reach)
    for group, size in sizes.items():
        order = [
            source
            for rank in range(1, size + 1)
            for source in compared.get(rank) or [GroupRank(stage=number, group=group, rank=rank)]
        ]
        yield from _first_inversion(order, number, reach)


def _first_inversion(
    order: Sequence[StageSource], number: int, reach: Mapping[StageSource, int]
) -> Iterator[Pair]:
    """Yield the first place that leads further than one before it in the order."""
    for better, worse in pairwise(order):
        if reach.get(worse, number) > reach.get(better, number):
            yield better, worse
            return


def _pairs_of_matches(
    number: int,
    stage: StageDefinition,
    sizes: Mapping[str, int],
    reach: Mapping[StageSource, int],
) -> Iterator[Pair]:
    """Yield winner and loser of matches whose loser gets further."""
    matches = stage_bracket_matches(stage, sizes)
    direct: dict[Result, int] = {
        source_result(source): last
        for source, last in reach.items()
        if source.stage == number and isinstance(source, MatchWinner | MatchLoser)
    }
    if not direct:
        return
    leads = following_matches(matches)
    furthest: dict[Result, int] = {}
    for match in reversed(matches):
        for won in (True, False):
            later = leads.get((match.number, won), ())
            reached = [furthest[following, way] for following in later for way in (True, False)]
            furthest[match.number, won] = max([direct.get((match.number, won), number), *reached])
    for match in matches:
        if furthest[match.number, False] > furthest[match.number, True]:
            yield (
                MatchWinner(stage=number, winner=match.number),
                MatchLoser(stage=number, loser=match.number),
            )


def source_faults(definition: FormulaDefinition) -> Faults:
    """Yield faults of places that are used more than once, or not of an earlier stage."""
    counted = Counter(source for _number, _group, source in definition.sources)
    for number, group, source in dict.fromkeys(definition.sources):
        problem = None
        if counted[source] > 1:
            problem = _("“%(place)s” is used more than once.")
        elif not isinstance(source, StartPlace) and _is_misplaced(definition, number, source):
            problem = _("“%(place)s” is not in an earlier stage.")
        if problem is not None:
            yield stage_fault(
                definition, number, Sentence(problem, {"place": describe_source(source)}), group
            )


def _is_misplaced(definition: FormulaDefinition, number: int, source: StageSource) -> bool:
    """Return whether a source is no place of a stage before the one with this number."""
    if source.stage >= number:
        return True
    before = definition.stages[source.stage - 1]
    by_match = STAGE_KINDS.get(before.kind).has_bracket
    if by_match != isinstance(source, MatchWinner | MatchLoser):
        return True
    groups = {group.name for group in before.groups}
    return isinstance(source, GroupRank) and source.group not in groups


def unfilled_place_faults(definition: FormulaDefinition, players: int) -> Faults:
    """Yield faults of places nobody can hold, and of players without a place.

    Requires a definition without ``stage_faults`` and ``source_faults``.
    """
    sizes = group_sizes_by_stage(definition, players)
    for number, group, source in definition.sources:
        if not _has_holder(definition, source, players, sizes):
            problem = Sentence(
                "With %(players)s players, “%(place)s” is empty.",
                {"players": players, "place": describe_source(source)},
            )
            yield stage_fault(definition, number, problem, group)
    if not definition.stages[0].spread:
        seated = {s.start for _n, _g, s in definition.sources if isinstance(s, StartPlace)}
        for place in sorted(set(range(1, players + 1)) - seated):
            yield Sentence(
                "With %(players)s players, “%(place)s” is not used.",
                {"players": players, "place": describe_source(StartPlace(start=place))},
            )


def _has_holder(
    definition: FormulaDefinition,
    source: Source,
    players: int,
    sizes: tuple[Mapping[str, int], ...],
) -> bool:
    match source:
        case StartPlace(start=number):
            return number <= players
        case GroupRank(stage=stage, group=group, rank=rank):
            return rank <= sizes[stage - 1][group]
        case BestOfRank(stage=stage, best=rank, nth=nth):
            return nth <= sum(size >= rank for size in sizes[stage - 1].values())
        case _:
            seats = sizes[source.stage - 1]
            matches = stage_bracket_matches(definition.stages[source.stage - 1], seats)
            if isinstance(source, MatchWinner):
                return source.winner in {match.number for match in matches}
            return source.loser in matches_with_loser(matches, sum(seats.values()))


def duplicate_player_faults(definition: FormulaDefinition, players: int) -> Faults:
    """Yield faults of pairs of places that the same player may hold."""
    sizes = group_sizes_by_stage(definition, players)
    for number, stage in enumerate(definition.stages, start=1):
        taken = tuple(dict.fromkeys(definition.taken_from(number)))
        pairs = (
            overlapping_places(stage_bracket_matches(stage, sizes[number - 1]), taken)
            if STAGE_KINDS.get(stage.kind).has_bracket
            else _named_and_compared(taken)
        )
        for one, other in pairs:
            problem = Sentence(
                "“%(place)s” and “%(other)s” may be the same player.",
                {"place": describe_source(one), "other": describe_source(other)},
            )
            yield stage_fault(definition, number, problem)


def _named_and_compared(taken: tuple[StageSource, ...]) -> Iterator[tuple[Source, Source]]:
    """Yield places whose rank is taken both by group and by comparison."""
    compared = {source.best: source for source in taken if isinstance(source, BestOfRank)}
    for source in taken:
        if isinstance(source, GroupRank) and source.rank in compared:
            yield source, compared[source.rank]


MOST_GAMES = 9
SMALLEST = 2
THIRD_PLACE_FROM = 4


def stage_faults(definition: FormulaDefinition) -> Faults:
    """Yield faults of names, groups and settings that no number of players would change."""
    if not definition.stages:
        yield Sentence("Enter at least one.")
    names = Counter(name_key(stage.name) for stage in definition.stages)
    for number, stage in enumerate(definition.stages, start=1):
        if names[name_key(stage.name)] > 1:
            yield stage_fault(definition, number, Sentence("Use each value only once."))
        yield from _group_faults(definition, number, stage)
        for problem in _setting_faults(stage):
            yield stage_fault(definition, number, problem)
    if definition.stages:
        last = definition.stages[-1]
        if len(last.groups) > 1 or last.survivors > 1:
            words = _("The last stage must have one group and one winner.")
            yield stage_fault(definition, len(definition.stages), Sentence(words))


def _group_faults(definition: FormulaDefinition, number: int, stage: StageDefinition) -> Faults:
    if not stage.groups:
        yield stage_fault(definition, number, Sentence("Enter at least one."))
    if len(stage.groups) > 1 and not STAGE_KINDS.get(stage.kind).several_groups:
        several = Sentence("Not possible here: %(setting)s.", {"setting": Sentence("Groups")})
        yield stage_fault(definition, number, several)
    names = Counter(name_key(group.name) for group in stage.groups)
    for group in stage.groups:
        if names[name_key(group.name)] > 1:
            problem = Sentence("Use each value only once.")
            yield stage_fault(definition, number, problem, group)
        if group.entrants == ():
            yield stage_fault(definition, number, Sentence("Enter at least one."), group)
        if group.entrants is None and number > 1:
            problem = Sentence("Only the first stage can include everybody.")
            yield stage_fault(definition, number, problem, group)


def _setting_faults(stage: StageDefinition) -> Iterator[Sentence]:
    kind = STAGE_KINDS.get(stage.kind)
    for key, setting in SHARED.items():
        if not kind.has_setting(key) and getattr(stage, key) != setting.usual:
            words = _("Not possible here: %(setting)s.")
            yield Sentence(words, {"setting": setting.label})
    if any((games % 2 == 0 and games) or games > MOST_GAMES for games in stage.best_of):
        yield Sentence(
            "Best of 1, 3, 5 … %(most)s, or 0 for the game’s default.",
            {"most": MOST_GAMES},
        )
    if not stage.best_of or (len(stage.best_of) > 1 and kind.has_table):
        games = Sentence("Games in a match")
        yield Sentence("Not possible here: %(setting)s.", {"setting": games})
    limits = (
        (LEGS, stage.legs, LEGS.least, LEGS.most),
        (SHARED["rounds"], stage.rounds, 0, MOST_ROUNDS),
        (SHARED["survivors"], stage.survivors, 1, SHARED["survivors"].most),
    )
    for setting, value, least, most in limits:
        if not least <= value <= most:
            yield Sentence(
                "%(setting)s must be from %(least)s to %(most)s.",
                {"setting": setting.label, "least": least, "most": most},
            )
    if stage.third_place and stage.survivors > 1:
        yield Sentence("Not possible here: %(setting)s.", {"setting": SHARED["third_place"].label})


def group_size_faults(definition: FormulaDefinition, players: int) -> Faults:
    """Yield faults of groups whose size is invalid with this number of players."""
    for number, sizes in enumerate(group_sizes_by_stage(definition, players), start=1):
        stage = definition.stages[number - 1]
        for group in stage.groups:
            size = sizes[group.name]
            values: dict[str, object] = {"players": players, "size": size}
            for fits, problem, limit in _size_limits(stage):
                if size and not fits(size):
                    yield stage_fault(
                        definition, number, Sentence(problem, {**values, "limit": limit}), group
                    )


_TOO_FEW = _(
    "With %(players)s players, this group needs at least %(limit)s seats; it has %(size)s."
)
_TOO_MANY = _(
    "With %(players)s players, this group has too many seats: %(size)s (at most %(limit)s)."
)
Limit = tuple[Callable[[int], bool], str, int]
"""Whether a size keeps to a limit, the sentence if it does not, and the limit."""


def _size_limits(stage: StageDefinition) -> Iterator[Limit]:
    """Yield the limits of a stage's group sizes, with the sentence for their violation."""
    most = STAGE_KINDS.get(stage.kind).most
    yield (lambda size: size >= SMALLEST, _TOO_FEW, SMALLEST)
    yield (lambda size: size <= most, _TOO_MANY, most)
    if stage.survivors > 1:
        yield (lambda size: size > stage.survivors, _TOO_FEW, stage.survivors + 1)
    if stage.third_place:
        yield (lambda size: size >= THIRD_PLACE_FROM, _TOO_FEW, THIRD_PLACE_FROM)


MOST_FAULTS = 50


def formula_faults(definition: FormulaDefinition) -> tuple[Sentence, ...]:
    """Return the first ``MOST_FAULTS`` faults of a formula, each with its stage, group and place.

    Empty if it can be played to final standings with every number of players in its range. A fault
    that depends on the number names one such number, and is returned only if there are no others.
    """
    found = tuple(islice(stage_faults(definition), MOST_FAULTS))
    found += tuple(islice(source_faults(definition), MOST_FAULTS))
    if found:
        return found[:MOST_FAULTS]
    return tuple(islice(_without_repetitions(_by_number(definition)), MOST_FAULTS))


def _by_number(definition: FormulaDefinition) -> Iterator[Sentence]:
    """Yield the faults for each representative number of players."""
    numbers = representative_sizes(definition)
    exists = True
    for players in numbers:
        for fault in (
            *group_size_faults(definition, players),
            *unfilled_place_faults(definition, players),
        ):
            exists = False
            yield fault
    if exists:
        for players in numbers:
            yield from duplicate_player_faults(definition, players)
            yield from advancement_faults(definition, players)


def _without_repetitions(found: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield each fault once: for the first number of players that has it."""
    seen: set[str] = set()
    for fault in found:
        words = str(_without_numbers(fault))
        if words not in seen:
            seen.add(words)
            yield fault


def _without_numbers(fault: Sentence) -> Sentence:
    values = {
        key: _without_numbers(value) if isinstance(value, Sentence) else value
        for key, value in fault.values.items()
    }
    return Sentence(fault.template, {**values, "players": 0, "size": 0})
