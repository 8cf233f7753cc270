"""Rounds at tables of three to five, then a cut by tables or a knock-out of two.

Source: tables, 4 (mixed formulas) and 6 (formula tables-cut).
"""

from collections.abc import Sequence
from typing import cast

from rules.formulas.base import TABLE_FORMULAS, Choice, DefaultGames, Option, Options
from rules.formulas.elimination import knockout_stage
from rules.formulas.swiss_cut import AS_FITS, LARGEST_CUT, ROUNDS, cut_size
from rules.plans import FormulaPlan, GroupPlan, StagePlan, rank_places, start_places
from rules.tables.field import SmallTableRule
from rules.tables.rounds import (
    LARGEST,
    USUAL_SIZES,
    can_cut_to_tables,
    first_cut_round,
    nearest_cuts,
)
from rules.wording import Sentence, untranslated_text

KEY = "tables-cut"
BY_TABLES, OF_TWO = "tables", "two"
"""How those who go on play: at tables whose winners go on, or two against two."""
KNOCKOUTS = (2, 8, 32)
"""Further usual sizes of a knock-out of two, beside those that make full tables."""
_FITTING = ((16, 2, 4), (34, 3, 4), (64, 4, 10), (128, 5, 16), (208, 6, 16), (304, 7, 16))
"""Up to how many players, how many rounds, and who goes on at tables of four."""
_LARGEST = (8, 40)


def default_table_rounds(players: int) -> int:
    """Return the default number of rounds at multiplayer tables."""
    return next((rounds for most, rounds, _cut in _FITTING if players <= most), _LARGEST[0])


def default_table_cut_size(players: int, usual: int) -> int:
    """Return the default size of the top cut at multiplayer tables.

    ``usual`` is the full size of a table; unless it is four, the cut is the nearest number below
    that makes full tables. 0 if the players fill one table at most.
    """
    if players <= usual:
        return 0
    cut = next((cut for most, _rounds, cut in _FITTING if players <= most), _LARGEST[1])
    return max(usual, nearest_cuts(min(cut, players), usual)[0] if cut >= usual else usual)


def default_knockout_size(players: int, usual: int) -> int:
    """Return the default size of a two-player knock-out after multiplayer tables.

    A power of two, 0 for none. ``usual`` is the full size of the tables before it.
    """
    return 1 << default_table_cut_size(players, usual).bit_length() >> 1


def _fit(options: Options) -> None:
    """Raise BadInput ``invalid_cut`` for a cut by tables that makes no full ones."""
    cut = cast(int, options["cut"])
    if cut > AS_FITS and options["ending"] == BY_TABLES:
        first_cut_round(cut, cast(Sequence[int], options["sizes"])[0])


def _build(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    sizes = tuple(cast(Sequence[int], options["sizes"]))
    by_tables = options["ending"] == BY_TABLES
    fitting = default_table_cut_size if by_tables else default_knockout_size
    cut = cut_size(options, players, lambda: fitting(players, sizes[0]))
    seeds = tuple(f"seed {rank}" for rank in range(1, cut + 1))
    rounds = StagePlan(
        key="tables",
        label=Sentence("Rounds at tables"),
        kind="table_swiss",
        groups=(GroupPlan(name="tables", seats=start_places(players)),),
        one_leg_only=True,
        rounds=cast(int, options["rounds"]) or default_table_rounds(players),
        places=rank_places("tables", seeds),
        interchangeable=(seeds,) if cut == 2 else (),
        own=(("sizes", sizes), ("small", cast(str, options["small"]))),
    )
    final = _cut_by_tables(seeds, sizes) if by_tables else _knockout(seeds, games)
    return FormulaPlan(formula=KEY, players=players, stages=(rounds, final) if cut else (rounds,))


def _cut_by_tables(seeds: tuple[str, ...], sizes: tuple[int, ...]) -> StagePlan:
    return StagePlan(
        key="cut",
        label=Sentence("Cut by tables"),
        kind="table_cut",
        groups=(GroupPlan(name="cut", seats=seeds),),
        one_leg_only=True,
        timed=False,
        own=(("sizes", sizes),),
    )


def _knockout(seeds: tuple[str, ...], games: DefaultGames) -> StagePlan:
    as_the_game_plays: Options = {"third_place": False, "best_of": [0, 0, 0]}
    return knockout_stage(seeds, as_the_game_plays, games, apart=False)


TABLES_CUT = TABLE_FORMULAS.define(
    key=KEY,
    label=Sentence("Tables and cut"),
    about=Sentence("Tables of 3 to 5 players with similar points, then an optional top cut."),
    always=(),
    minimum=3,
    options=(
        ROUNDS,
        Option(
            key="cut",
            label=Sentence("Top cut"),
            kind="number",
            default=AS_FITS,
            lowest=0,
            highest=LARGEST_CUT,
            choices=(
                Choice(value=AS_FITS, label=Sentence("By number of players")),
                Choice(value=0, label=Sentence("No top cut")),
                *(
                    Choice(value=cut, label=untranslated_text(cut))
                    for cut in range(2, LARGEST_CUT + 1)
                    if cut in KNOCKOUTS
                    or any(can_cut_to_tables(cut, one) for one in range(3, LARGEST + 1))
                ),
            ),
        ),
        Option(
            key="ending",
            label=Sentence("Top cut matches"),
            kind="choice",
            default=BY_TABLES,
            choices=(
                Choice(value=BY_TABLES, label=Sentence("At tables")),
                Choice(value=OF_TWO, label=Sentence("One against one")),
            ),
        ),
        Option(
            key="sizes",
            label=Sentence("Players per table, preferred size first"),
            kind="sizes",
            default=list(USUAL_SIZES),
        ),
        Option(
            key="small",
            label=Sentence("Who sits at the small tables"),
            kind="choice",
            default=str(SmallTableRule.LOW),
            choices=(
                Choice(value=str(SmallTableRule.LOW), label=Sentence("Fewest points")),
                Choice(value=str(SmallTableRule.HIGH), label=Sentence("Most points")),
                Choice(value=str(SmallTableRule.ANY), label=Sentence("Anybody")),
            ),
        ),
    ),
    build=_build,
    fit=_fit,
    of_tables=True,
)
