"""Rounds that somebody else pairs: lists of players, and lists as programs print them."""

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drafts.given import (
    ELSEWHERE,
    LONGEST_LINE,
    MOST_LINES,
    ImportedTable,
    ListedPlayer,
    PastedRound,
    pairings_from_tables,
    read_pairings,
)
from rules.errors import BadInput, RuleError
from rules.formulas import FORMULAS, TABLE_FORMULAS
from rules.results import MatchEnding
from rules.stages.base import StageState, is_paired_by_hand, stage_kind, state_with_all_seats
from tests.rules.drafts.test_check import stage

NAMES = ("Anna Rossi", "Luca Bianchi", "Marco De Luca", "Niccolò D'Angelo", "王小明", "Ugo")
PLAYERS = tuple(ListedPlayer(number, (name,)) for number, name in enumerate(NAMES, start=1))
FIVE = (PLAYERS[0], PLAYERS[1], PLAYERS[2], PLAYERS[3], PLAYERS[5])


def tables(text: str, players=FIVE, **more) -> list[tuple[tuple[int, ...], int | None]]:
    """Return the tables of a list that has no fault."""
    found = read_pairings(text, players, **more)
    assert found.faults == ()
    return [(table.seats, table.table) for table in found.tables]


def faults(text: str, players=FIVE, **more) -> list[tuple[int, str, tuple[str, ...]]]:
    found = read_pairings(text, players, **more).faults
    return [(fault.line, str(fault.sentence), fault.near) for fault in found]


NONE = PastedRound((), ())
WANTED = [((1, 2), 1), ((3, 4), 2), ((6,), None)]
BY_TABLE = """Pokémon League Cup
Round 2 Pairings

Table\tPlayer\t\tOpponent
1\tAnna Rossi (1/0/0 (3))\tvs.\tLuca Bianchi (1/0/0 (3))
2\tMarco De Luca (0/1/0 (0))\tvs.\tNiccolò D'Angelo (0/1/0 (0))
\tUgo (0/1/0 (0))\tvs.\tBYE
"""
SURNAME_FIRST = """  2   DE LUCA, MARCO      D ANGELO, NICCOLO
  1   ROSSI, ANNA         BIANCHI, LUCA
  3   UGO                 * BYE *
"""
BY_NAME = """Name;Table;Opponent;Points
Anna Rossi;1;Luca Bianchi;3
Bianchi Luca;1;Anna Rossi;3
D'Angelo Niccolò;2;Marco De Luca;0
De Luca Marco;2;Niccolò D'Angelo;0
Ugo;;BYE;0
"""
BY_CELL = """Table 1
Anna Rossi
3 points
Luca Bianchi
3 points
Table 2
Marco De Luca
0 points
Niccolo' D'Angelo
0 points
Ugo
Bye
"""
SHORT = "Table 1: Anna R. – Luca B.\nTable 2: De Luca M / Niccolò D\nTable 3: Ugo – bye"
CSV = (
    "table,player 1,player 2\r\n1,Anna Rossi,Luca Bianchi\r\n"
    "2,Marco De Luca,Niccolò DAngelo\r\n3,Ugo,BYE"
)
LAYOUTS = (BY_TABLE, SURNAME_FIRST, BY_NAME, BY_CELL, SHORT, CSV)


@pytest.mark.parametrize("text", LAYOUTS)
def test_lists_of_programs_say_the_same_round(text: str) -> None:
    assert [(tuple(sorted(seats)), table) for seats, table in tables(text)] == WANTED


def test_without_numbers_of_tables_the_order_of_lines_counts() -> None:
    text = "Marco De Luca vs Niccolò D'Angelo\nUgo BYE\nAnna Rossi vs Luca Bianchi"
    assert tables(text) == [((3, 4), None), ((1, 2), None), ((6,), None)]
    text = f"7 {text}"  # one number says nothing of the others
    assert tables(text)[0] == ((3, 4), None)


def test_numbers_of_members_tell_players_and_namesakes() -> None:
    twins = (
        ListedPlayer(1, ("Marco Rossi", "Marco Rossi (Drago)"), ("4517283",)),
        ListedPlayer(2, ("Marco Rossi", "Marco Rossi (Lupo)"), ("4517284",)),
        ListedPlayer(3, ("Ada", "Ada"), ("77",)),
        ListedPlayer(4, ("Bea",)),
    )
    assert tables("1 4517283 Ada\n2 Bea 4517284", twins) == [((1, 3), 1), ((4, 2), 2)]
    both = "1 Marco Rossi 4517284 Ada 77\n2 Bea Marco Rossi (Drago)"
    assert tables(both, twins) == [((2, 3), 1), ((4, 1), 2)]
    unclear = faults("1 Marco Rossi Ada\n2 Bea Marco Rossi", twins)
    assert [line for line, _words, _near in unclear] == [1, 2, 0]
    assert "Several players are called Marco Rossi." in unclear[0][1]


def test_a_namesake_who_left_is_not_meant() -> None:
    known = (
        ListedPlayer(1, ("Ada",)),
        ListedPlayer(2, ("Ada",), plays=False),
        ListedPlayer(3, ("Bea",)),
    )
    assert tables("Ada Bea", known) == [((1, 3), None)]


def test_each_fault_stands_at_its_line() -> None:
    gone = (*FIVE[:4], ListedPlayer(6, ("Ugo",), plays=False))
    assert faults("1 Anna Rossi Luca Bianchi\n2 Marco De Luca Ugo\n3 Anna Rossi BYE", gone) == [
        (2, "Ugo is not playing.", ()),
        (3, "Anna Rossi is also on line 1.", ()),
        (0, "Missing players: Niccolò D'Angelo.", ()),
    ]
    assert faults("1 Ana Rosi – Luca Bianchi\n2 Marco De Luca Niccolò D'Angelo\nUgo") == [
        (1, "No player is called Ana Rosi.", ("Anna Rossi",)),
        (3, "Ugo has no opponent. Write BYE for a bye.", ()),
        (0, "Missing players: Anna Rossi.", ()),
    ]
    assert faults("Anna Rossi, Luca Bianchi, Ugo\nMarco De Luca – Niccolò D'Angelo") == [
        (1, "A table must have 2 players.", ())
    ]
    assert faults(f"{'x' * LONGEST_LINE}x\n{BY_TABLE}") == [
        (1, f"Write at most {LONGEST_LINE} characters.", ())
    ]


def test_a_line_of_two_unknown_names_is_told_where_somebody_is_missing() -> None:
    there = "2 Marco De Luca Niccolò D'Angelo\nUgo bye\nTOM 1.9"
    text = f"Coppa di prova\n1 Ana Rosi  Luca Bianci\n{there}"
    assert [(line, near) for line, _words, near in faults(text)] == [
        (2, ("Anna Rossi",)),
        (2, ("Luca Bianchi",)),
        (0, ()),
    ]


def test_tables_of_three_to_five_are_lines_or_follow_from_the_number_beside_each_name() -> None:
    text = "1 Anna Rossi, Luca Bianchi, Marco De Luca\nBYE: Ugo\n2 Niccolò D'Angelo Ada Bea"
    known = (*FIVE, ListedPlayer(7, ("Ada",)), ListedPlayer(8, ("Bea",)))
    wanted = [((1, 2, 3), 1), ((4, 7, 8), 2), ((6,), None)]
    assert tables(text, known, sizes=(4, 3)) == wanted
    seat_all = (
        "1 Anna Rossi\n2 Ada\n1 Luca Bianchi\n2 Niccolò D'Angelo\n1 Marco De Luca\n2 Bea\nUgo bye"
    )
    assert [{*seats} for seats, _table in tables(seat_all, known, sizes=(4, 3))] == [
        {1, 2, 3},
        {4, 7, 8},
        {6},
    ]


def code(act, *given, **more) -> str:
    with pytest.raises(RuleError) as refused:
        act(*given, **more)
    return refused.value.code


def test_what_is_no_list_of_pairings_is_refused() -> None:
    assert code(read_pairings, "", FIVE) == "no_pairings"
    assert code(read_pairings, "PK\x03\x04\ufffd\ufffd\x00", FIVE) == "no_pairings"
    assert code(read_pairings, "a\n" * (MOST_LINES + 1), FIVE) == "list_too_long"
    assert code(read_pairings, "x" * 2_000_000, FIVE) == "list_too_long"


def test_the_longest_list_is_read_in_time() -> None:
    known = tuple(ListedPlayer(n, (f"Gino{n} Rossi{n}",)) for n in range(1, 1001))
    rows = [f"{n} Gino{n} Rosi{n}\tGino{n + 1} Rossi{n + 1}" for n in range(1, 1001, 2)]
    began = perf_counter()
    found = read_pairings("\n".join(rows), known)
    assert len(found.faults) == 501
    assert perf_counter() - began < 10


@given(st.text(max_size=400), st.booleans())
def test_any_text_is_read_or_refused(text: str, of_two: bool) -> None:
    try:
        found = read_pairings(text, PLAYERS, sizes=(2,) if of_two else (4, 3))
    except BadInput as refused:
        refusal = refused.code
        found = None
    assert all(0 <= fault.line <= len(text.splitlines()) for fault in (found or NONE).faults)
    assert found or refusal in ("no_pairings", "list_too_long")


WAYS = ("{0} {1}", "{1} {0}", "{1}, {0}", "{1} {0} (1/0/0 (3))", "{0} {1} 12345678")
BETWEEN = (" vs. ", "\t", "\t3\t", " – ", "   ", "; ", "  VS  ")


@given(st.permutations(range(1, 12)), st.data())
def test_a_round_written_in_any_way_is_read_as_it_is(order: list[int], data: st.DataObject) -> None:
    known = tuple(
        ListedPlayer(n, (f"Nome{'abcdefghijkl'[n]} Cogn{'abcdefghijkl'[n]}",)) for n in order
    )
    spelt = {
        one.player: data.draw(st.sampled_from(WAYS)).format(*one.names[0].split()) for one in known
    }
    pairs = [(order[at], order[at + 1]) for at in range(0, 10, 2)]
    lines = [
        f"{at} {spelt[a]}{data.draw(st.sampled_from(BETWEEN))}{spelt[b]}"
        for at, (a, b) in enumerate(pairs, start=1)
    ]
    lines = data.draw(st.permutations([*lines, f"{spelt[order[10]]} BYE"]))
    wanted = [(pair, at) for at, pair in enumerate(pairs, start=1)] + [((order[10],), None)]
    assert tables("\n".join(lines), known) == wanted


# --- A round as it is given ----------------------------------------------------------------------
def seats(*tables: tuple[int, ...]) -> list[ImportedTable]:
    return [ImportedTable(table) for table in tables]


def test_a_given_round_is_numbered_in_order_and_marked_as_paired_by_hand() -> None:
    state = stage(5, [((1, 2), (3, 4), (5, None))])
    made = pairings_from_tables(state, seats((5, 1), (2, 4), (3,)))
    assert [(p.number, p.seats, p.by_hand, p.reason) for p in made] == [
        (4, (5, 1), True, ELSEWHERE),
        (5, (2, 4), True, ELSEWHERE),
        (6, (3,), True, ELSEWHERE),
    ]
    assert [p.outcome.ended_by for p in made if p.outcome] == [MatchEnding.BYE]
    assert len({p.best_of for p in made}) == 1


@pytest.mark.parametrize(
    ("given", "path", "problem"),
    [
        (seats((1, 2), (3, 1), (5,)), "pairings[1][1]", "1 is listed twice."),
        (seats((1, 2), (3, 9), (5,)), "pairings[1][1]", "9 is not playing."),
        (seats((1, 2), (3, 4)), "pairings", "Missing players: 5."),
        (seats((1, 2), (3, 4, 5)), "pairings[1]", "A table must have 2 players."),
        (seats((1, 2), (), (3, 4)), "pairings[1]", "A table must have 2 players."),
    ],
)
def test_a_wrong_round_says_where(given: list[ImportedTable], path: str, problem: str) -> None:
    with pytest.raises(BadInput) as refused:
        pairings_from_tables(stage(5), given)
    values = refused.value.sentence.values
    assert (refused.value.code, values["path"], str(values["problem"])) == (
        "invalid_pairings",
        path,
        problem,
    )


def test_who_has_left_is_not_in_play() -> None:
    state = stage(5, withdrawn=frozenset({5}))
    assert len(pairings_from_tables(state, seats((1, 2), (3, 4)))) == 2
    assert code(pairings_from_tables, state, seats((1, 2), (3, 4), (5,))) == "invalid_pairings"


def test_only_stages_paired_by_points_take_a_round() -> None:
    plan = FORMULAS.get("single-group").plan(4)
    assert (
        code(pairings_from_tables, state_with_all_seats(plan.stages[0]), seats((1, 2), (3, 4)))
        == "pairings_fixed"
    )


def test_tables_have_the_sizes_of_their_stage() -> None:
    plan = TABLE_FORMULAS.get("tables-cut").plan(7, {"sizes": [4, 3], "cut": 0, "rounds": 2})
    (group,) = plan.stages[0].groups
    state = StageState(plan=plan.stages[0], seats={group.name: tuple(range(1, 8))})
    made = pairings_from_tables(state, seats((1, 2, 3, 4), (5, 6, 7)))
    assert [len(pairing.seats) for pairing in made] == [4, 3]
    assert (
        code(pairings_from_tables, state, seats((1, 2, 3, 4, 5), (6,), (7,))) == "invalid_pairings"
    )
    assert stage_kind(state.plan).pairs_by_points
    assert not is_paired_by_hand(stage(4, [((1, 2), (3, 4))]), 0, draft=False)
