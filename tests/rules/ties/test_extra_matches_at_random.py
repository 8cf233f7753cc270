"""Extra matches in random stages: only the order within a tied set changes."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from rules.plans import NthAmong, RankOf
from rules.results import Winner, result_of_two
from rules.stages.base import StageState
from rules.ties.extra_matches import ExtraSeries
from tests.rules.advancement.test_outcome import groups
from tests.rules.play import add_round
from tests.rules.ties.test_extra_matches import decide, with_extra


@st.composite
def played_stages(draw) -> StageState:
    """Return a finished stage of two groups with many ties."""
    sizes = draw(st.tuples(st.integers(2, 5), st.integers(2, 5)))
    state = groups(
        (
            RankOf(name="A1", group="A", rank=1),
            RankOf(name="B1", group="B", rank=1),
            NthAmong(name="R1", rank=2, groups=("A", "B"), nth=1),
        ),
        sizes,
    )
    outcomes = st.sampled_from((Winner.A, Winner.DRAW, Winner.B))
    while True:
        made = add_round(
            state, lambda p: result_of_two(*p.seats, winner=draw(outcomes), score=(1, 1))
        )
        if not made.rounds[-1]:
            return state
        state = made


@given(state=played_stages(), data=st.data())
def test_nothing_changes_outside_the_tied_set(state: StageState, data: st.DataObject) -> None:
    before = decide(state)
    tables = [*before.standings.values(), *before.compared.values()]
    tied = [level for table in tables for level in table.tied]
    if not tied:
        return
    level = data.draw(st.sampled_from(tied))
    strength = {player: data.draw(st.integers(0, 9)) for player in level}
    played = state
    for _round in range(ExtraSeries(level).total):
        played = with_extra(
            played, level, lambda a, b: strength[a] > strength[b or a] or int(a) > int(b or 0)
        )
    after = decide(played)
    for name, table in before.standings.items():
        mine, now = set(level), after.standings[name]
        if not mine & {row.player for row in table.rows}:
            assert now == table
            continue
        others = [row for row in table.rows if row.player not in mine]
        assert [row for row in now.rows if row.player not in mine] == others
        kept = {row.player: (row.played, row.won, row.values) for row in table.rows}
        assert {row.player: (row.played, row.won, row.values) for row in now.rows} == kept
        ranks = sorted(row.rank for row in table.rows if row.player in mine)
        for row in now.rows:
            if row.player in mine and ranks:
                assert ranks[0] <= row.rank < ranks[0] + len(ranks)
    # Who won more of the extra matches is never behind.
    won = ExtraSeries(level, played.extra).split(level)
    assert won is not None
    assert sorted(map(int, sum(won.classes, ()))) == sorted(map(int, level))
    homes = zip(tables, [*after.standings.values(), *after.compared.values()], strict=False)
    at = {row.player: row.rank for was, now in homes if level in was.tied for row in now.rows}
    for a, b in combinations(level, 2):
        if won.figures[a] != won.figures[b]:
            assert (won.figures[a] > won.figures[b]) == (at[a] < at[b])
