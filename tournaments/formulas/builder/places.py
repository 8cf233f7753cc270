"""The places that the stages of a draft have at its most players."""

from collections.abc import Iterator

from rules.brackets.single import BracketMatch
from rules.formulas.custom.definition import MOST_PLAYERS, StageDefinition
from rules.formulas.custom.stage_checks import THIRD_PLACE_FROM
from tournaments.formulas.builder.draft import Draft, number_typed
from tournaments.formulas.builder.sources import BEST, LOSER, RANK, WINNER, Source


def players_at_most(draft: Draft) -> int:
    """Return the draft's most players, None if invalid."""
    return min(draft.number("highest", 0), MOST_PLAYERS)


def sources_used(draft: Draft, *, without: int = 0) -> list[Source]:
    """Return all chosen sources by stage, in seat order.

    ``without`` excludes a stage (from 1).
    """
    return [
        source
        for at, stage in enumerate(draft.stages, start=1)
        if at != without
        for source in stage.sources()
    ]


def group_sizes(draft: Draft, at: int, players: int) -> list[int]:
    """Return the group sizes of a stage (from 1) for a number of players."""
    stage = draft.stages[at - 1]
    found = [len(group.seats) for group in stage.groups]
    dealt = [index for index, group in enumerate(stage.groups) if group.everybody]
    if dealt:
        own = {source.number for source in sources_used(draft) if source.from_start}
        full, rest = divmod(max(0, players - len(own)), len(dealt))
        for order, index in enumerate(dealt):
            found[index] = full + (order < rest)
    return found


def matches_of_stage(draft: Draft, at: int) -> tuple[BracketMatch, ...]:
    """Return the matches of a stage's bracket at its most players; empty without a bracket."""
    stage = draft.stages[at - 1]
    seats = sum(group_sizes(draft, at, players_at_most(draft)))
    left = max(1, number_typed(stage.values.get("survivors", ""), 1))
    if stage.shape.has_table or not left < seats <= stage.shape.most:
        return ()
    third_place = "third_place" in stage.values and seats > THIRD_PLACE_FROM - 1
    known = StageDefinition(
        name="",
        kind=stage.kind,
        groups=(),
        survivors=left,
        third_place=third_place,
        own=tuple(
            (each.key, each.key in stage.values)
            if each.is_flag
            else (each.key, number_typed(stage.values.get(each.key, ""), int(str(each.usual))))
            for each in stage.shape.own_settings
        ),
    )
    return stage.shape.named_matches(seats, known)


def sources_of_rank(draft: Draft, at: int, rank: int) -> Iterator[Source]:
    """Yield the places of one rank in groups large enough."""
    for group, size in enumerate(group_sizes(draft, at, players_at_most(draft)), start=1):
        if size >= rank:
            yield Source(kind=RANK, stage=at, group=group, number=rank)


def sources_compared(draft: Draft, at: int, rank: int) -> Iterator[Source]:
    """Yield the places compared on one rank, the best first."""
    count = sum(1 for _place in sources_of_rank(draft, at, rank))
    for nth in range(1, count + 1):
        yield Source(kind=BEST, stage=at, number=rank, nth=nth)


def places_of(draft: Draft, at: int) -> list[Source]:
    """Return all places that a later stage can take from a stage, in list order."""
    stage = draft.stages[at - 1]
    if stage.shape.has_bracket:
        return [
            Source(kind=kind, stage=at, number=match.number)
            for match in reversed(matches_of_stage(draft, at))
            for kind in (WINNER, LOSER)
        ]
    largest = max(group_sizes(draft, at, players_at_most(draft)), default=0)
    every = range(1, largest + 1)
    found = [place for rank in every for place in sources_of_rank(draft, at, rank)]
    if len(stage.groups) > 1:
        found += [place for rank in every for place in sources_compared(draft, at, rank)]
    return found
