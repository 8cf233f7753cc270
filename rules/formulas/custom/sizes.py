"""Group sizes of custom formulas, and the numbers of players for which they matter."""

from collections.abc import Mapping
from itertools import islice

from rules.brackets.seeding import snake
from rules.formulas.custom.definition import Definition, StageDefinition, StartPlace
from rules.plans.places import start_places
from rules.stages.kind import STAGE_KINDS, Matches


def spread_seats(definition: Definition, players: int) -> dict[str, tuple[str, ...]]:
    """Return the seats of the groups to which starting players are dealt.

    All players without a named place in any stage, dealt by snake.
    """
    groups = definition.stages[0].spread
    named = {
        source.start
        for _stage, _group, source in definition.sources
        if isinstance(source, StartPlace)
    }
    field = [place for number, place in enumerate(start_places(players), 1) if number not in named]
    dealt = snake(field, len(groups)) if groups else ()
    return {group.name: seats for group, seats in zip(groups, dealt, strict=True)}


def sizes_of(definition: Definition, players: int) -> tuple[dict[str, int], ...]:
    """Return the group sizes of each stage, by name."""
    spread = spread_seats(definition, players)
    return tuple(
        {
            group.name: len(spread.get(group.name, ()))
            if group.entrants is None
            else len(group.entrants)
            for group in stage.groups
        }
        for stage in definition.stages
    )


def matches_of(stage: StageDefinition, sizes: Mapping[str, int]) -> Matches:
    """Return the matches of a stage's bracket; () if players advance by rank."""
    seats = sum(sizes.values())
    if seats < 2 or not stage.survivors:
        return ()
    return STAGE_KINDS.get(stage.kind).named_matches(seats, stage)


def telling_numbers(definition: Definition) -> tuple[int, ...]:
    """Return numbers of players that are representative of the whole range.

    Groups only grow with the number of players. So ranks and minimum sizes are decided by the
    lowest number, maximum sizes by the highest, and bracket matches by each number that adds a
    round. Groups without dealt players may be empty: then the first number with a player in them
    counts too.
    """
    found = {definition.lowest, definition.highest}
    first = definition.stages[0]
    if first.spread:
        every = range(definition.lowest, definition.highest + 1)
        seated = (players for players in every if any(spread_seats(definition, players).values()))
        found |= set(islice(seated, 1))
    if first.spread and any(definition.taken_from(1)) and STAGE_KINDS.get(first.kind).has_bracket:
        before: tuple[int, ...] = ()
        for players in range(definition.lowest, definition.highest + 1):
            matches = matches_of(first, sizes_of(definition, players)[0])
            numbers = tuple(match.number for match in matches)
            if numbers != before:
                found.add(players)
                before = numbers
    return tuple(sorted(found))
