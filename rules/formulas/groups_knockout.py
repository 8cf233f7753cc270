"""Groups, then single elimination.

Source: tournament rules, Other formulas to ship, Groups and knock-out.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from string import ascii_uppercase
from typing import cast

from rules.brackets import deal_snake, knockout_rounds
from rules.errors import BadInput
from rules.formulas.base import (
    FORMULAS,
    LEGS,
    UNEVEN,
    WITHOUT_LAST,
    Choice,
    DefaultGames,
    Option,
    Options,
)
from rules.formulas.elimination import GAMES, THIRD_PLACE, knockout_stage
from rules.plans import (
    ROUND_ROBIN,
    ComparedRankPlace,
    FormulaPlan,
    Place,
    StagePlan,
    group_plans,
    rank_places,
    start_places,
)
from rules.wording import Sentence, untranslated_text

KEY = "groups-knockout"
MOST_GROUPS = 256
"""A bracket of 512: larger than any event, and keeping groups apart is still fast."""
ONE_GROUP = 5
"""Maximum players of a single group (tournament rules: groups of 3 to 5)."""


def group_names(count: int) -> tuple[str, ...]:
    """Return the names of ``count`` groups: A to Z, then AA, AB …, then AAA …"""
    letters = (product(ascii_uppercase, repeat=length) for length in range(1, count + 1))
    return tuple(map("".join, islice(chain.from_iterable(letters), count)))


def default_group_count(players: int) -> int:
    """Return the default number of groups for so many players: of three or four each.

    Up to five players are one group.
    """
    return 1 if players <= ONE_GROUP else -(-players // 4)


def _build(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    groups = cast(int, options["groups"]) or default_group_count(players)
    advance = cast(int, options["advance"])
    if groups > MOST_GROUPS:
        raise BadInput(
            "too_many_groups",
            "Too many groups: %(groups)s (at most %(most)s).",
            most=MOST_GROUPS,
            groups=groups,
        )
    dealt = deal_snake(start_places(players), groups)
    _check_sizes(players, [len(seats) for seats in dealt], advance, by_hand=bool(options["groups"]))
    seeds = _bracket_seeds(dealt, advance, fill=bool(options["fill"]))
    ranks = range(1, advance + 1)
    by_group = [
        place
        for name in group_names(groups)
        for place in rank_places(name, (f"{name}{n}" for n in ranks))
    ]
    stages = (
        StagePlan(
            key="groups",
            label=Sentence("Groups"),
            kind=ROUND_ROBIN,
            groups=group_plans(group_names(len(dealt)), dealt),
            legs=cast(int, options["legs"]),
            best_of=(games.match,),
            places=(*by_group, *seeds),
            interchangeable=(tuple(seed.name for seed in seeds),) if len(seeds) == 2 else (),
            without_last=options[UNEVEN.key] == WITHOUT_LAST,
        ),
        knockout_stage([seed.name for seed in seeds], options, games, apart=True),
    )
    return FormulaPlan(formula=KEY, players=players, stages=stages)


def _check_sizes(players: int, sizes: Sequence[int], advance: int, *, by_hand: bool) -> None:
    if by_hand and not 3 <= min(sizes) <= max(sizes) <= 5 and players > ONE_GROUP:
        raise BadInput(
            "bad_group_sizes",
            "Groups must have 3 to 5 players. Smallest: %(smallest)s, largest: %(largest)s.",
            players=players,
            groups=len(sizes),
            smallest=min(sizes),
            largest=max(sizes),
        )
    if advance > min(sizes):
        raise BadInput(
            "too_many_advance",
            "%(advance)s can’t advance from each group: the smallest has %(smallest)s players.",
            advance=advance,
            smallest=min(sizes),
        )
    if advance * len(sizes) < 2:
        raise BadInput("too_few_advance", "At least two players must advance.")


def _bracket_seeds(dealt: Sequence[Sequence[str]], advance: int, *, fill: bool) -> list[Place]:
    """Return the places of the bracket, best first: firsts of groups, seconds …, next-placed.

    With ``fill``, next-placed players fill it up to a power of two if there are enough.
    """
    if len(dealt) == 1:
        return list(rank_places("A", (f"seed {rank}" for rank in range(1, advance + 1))))
    direct = advance * len(dealt)
    missing = 2 ** knockout_rounds(direct) - direct
    with_next = sum(len(seats) > advance for seats in dealt)
    numbers = [len(dealt)] * advance + ([missing] if fill and missing <= with_next else [])
    ranks = [
        (rank, nth) for rank, count in enumerate(numbers, start=1) for nth in range(1, count + 1)
    ]
    return [
        ComparedRankPlace(
            name=f"seed {seed}",
            rank=rank,
            groups=tuple(
                name
                for name, seats in zip(group_names(len(dealt)), dealt, strict=True)
                if len(seats) >= rank
            ),
            nth=nth,
        )
        for seed, (rank, nth) in enumerate(ranks, start=1)
    ]


def _ways(players: int, games: DefaultGames) -> Iterator[Options]:
    """Yield one or two who advance from each group, and both legs."""
    yield {"advance": 1}
    yield {"legs": 2}
    yield {"legs": 2, "advance": 1}


GROUPS_KNOCKOUT = FORMULAS.define(
    key=KEY,
    label=Sentence("Groups and knock-out"),
    about=Sentence("Groups of 3 to 5, then single elimination."),
    always=(Sentence("Players from the same group meet again as late as possible"),),
    minimum=3,
    options=(
        Option(
            key="groups",
            label=Sentence("Number of groups (0: automatic)"),
            kind="number",
            default=0,
            lowest=0,
            highest=MOST_GROUPS,
        ),
        Option(
            key="advance",
            label=Sentence("Players from each group"),
            kind="choice",
            default=2,
            choices=tuple(
                Choice(value=count, label=untranslated_text(count)) for count in (1, 2, 3, 4)
            ),
        ),
        Option(
            key="fill",
            label=Sentence("Fill the bracket with the next-ranked players"),
            kind="yes_no",
            default=True,
        ),
        THIRD_PLACE,
        Option(
            key="legs",
            label=Sentence("Matches per pair"),
            kind="choice",
            default=1,
            choices=LEGS,
        ),
        UNEVEN,
        GAMES,
    ),
    build=_build,
    ways=_ways,
)
