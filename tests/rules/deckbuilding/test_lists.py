"""Card lists: rows read with all their problems, and what newer lists change."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.card_lists import (
    BANNED,
    COLUMN_NAMES,
    COPIES,
    EXCLUDED_TOGETHER,
    LABELS,
    LIMITED,
    LIST_NAMES,
    MOST_ROWS,
    NO_LISTS,
    REMOVE_AFTER_USE,
    SEMI_LIMITED,
    CardLists,
    card_list_key,
    column_key,
    compare_lists,
    fill_in_missing_columns,
    read_card_list_rows,
    read_card_lists,
)
from rules.deckbuilding.data.formats import apply_card_lists, find_shipped_lists
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.house import HouseChanges, house_format
from rules.deckbuilding.text import parse_decklist

DAY = date(2027, 1, 1)
EXO = FORMATS.get("creatures-of-exo")
ORIGINAL = FORMATS.get("doomtrooper-original")


def numbered(*rows: dict[str, str]) -> list[tuple[int, dict[str, str]]]:
    return list(enumerate(rows, start=2))


def test_italian_headers_and_names_of_lists_are_read() -> None:
    read = read_card_list_rows(
        numbered(
            {
                "Lista": "vietate",
                "Carta": " Brace ",
                "Espansione": "DT",
                "Alias": "Brace A| Brace B|",
            },
            {"Lista": "Semi-limitate", "Carta": "Lupo"},
            {"Lista": "Limitata", "Carta": "Faro"},
            {"Lista": "escluse insieme", "Carta": "Faro", "con": "Lupo"},
            {"Lista": "Rimosse dopo l’uso", "Carta": "Lupo"},
            {"Lista": "", "Carta": " "},
        )
    )
    assert read.problems == ()
    assert read.rows == (
        {"list": BANNED, "card": "Brace", "expansion": "DT", "aliases": "Brace A|Brace B"},
        {"list": SEMI_LIMITED, "card": "Lupo"},
        {"list": LIMITED, "card": "Faro"},
        {"list": EXCLUDED_TOGETHER, "card": "Faro", "with": "Lupo"},
        {"list": REMOVE_AFTER_USE, "card": "Lupo"},
    )


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"list": "forbidn", "card": "Brace"}, "Use one of: banned"),
        ({"list": "banned", "card": ""}, "The card name is missing."),
        ({"list": "banned", "card": "12"}, "The card name is missing."),
        ({"list": "banned", "card": "x" * 161}, "Card: at most 160 characters"),
        ({"list": "banned", "card": "x", "aliases": "y" * 401}, "Aliases: at most 400"),
        ({"list": "excluded_together", "card": "Brace"}, "two different"),
        ({"list": "excluded_together", "card": "Brace", "with": "BRACE"}, "two different"),
        ({"list": "limited", "card": "Brace", "with": "Lupo"}, "Only pairs"),
        ({"list": "limited", "card": "lupo"}, "“lupo” is also in row 2."),
        ({"list": "excluded_together", "card": "Due", "with": "Uno"}, "in row 3"),
        ({"list": "limited", "card": "Brace", "aliases": "Lupetto"}, "two different cards"),
        ({"list": "limited", "card": "LUPETTO"}, "two different cards"),
        ({"list": "limited", "card": "Brace", "aliases": "uno"}, "two different cards"),
    ],
)
def test_a_problem_names_its_row(row: dict[str, str], says: str) -> None:
    fine = (
        {"list": "banned", "card": "Lupo", "aliases": "Lupetto", "with": ""},
        {"list": "excluded_together", "card": "Uno", "with": "Due"},
    )
    (problem,) = read_card_list_rows(numbered(*fine, row)).problems
    assert problem.line == 4
    assert says in str(problem.sentence)


def test_columns_that_nobody_knows_are_ignored() -> None:
    read = read_card_list_rows(
        numbered({"list": "banned", "note": "bella", "card": "Brace", "with": None})
    )
    assert (read.problems, read.rows) == ((), ({"list": BANNED, "card": "Brace"},))
    beyond = {"list": "banned", "card": "Brace", None: ["more", "cells"]}
    assert read_card_list_rows([(2, beyond)]).rows == ({"list": BANNED, "card": "Brace"},)


def test_all_problems_are_named_at_once() -> None:
    read = read_card_list_rows(numbered({"list": "?", "card": "a"}, {"list": "banned", "card": ""}))
    assert [problem.line for problem in read.problems] == [2, 3]
    assert read.rows == ()


def test_a_file_needs_its_columns_some_card_and_an_end() -> None:
    (missing,) = read_card_list_rows(numbered({"name": "Brace"}, {"name": "Lupo"})).problems
    assert (missing.line, str(missing.sentence)) == (1, "Columns missing: List.")
    (empty,) = read_card_list_rows([]).problems
    assert str(empty.sentence) == "The file has no cards."
    many = ({"list": "banned", "card": f"Carta {number}"} for number in range(MOST_ROWS + 1))
    assert len(read_card_list_rows(numbered(*many)).problems) == 1


def test_what_a_file_has_no_column_for_stays() -> None:
    before = read_card_lists(
        [
            {"list": "banned", "card": "Brace", "aliases": "Tizzone"},
            {"list": "banned", "card": "Lupo", "aliases": "Faro"},
            {"list": "excluded_together", "card": "Uno", "with": "Due"},
        ],
        dated=DAY,
    )
    bare = read_card_list_rows(
        numbered(*({"list": "limited", "card": card} for card in ("BRACE", "Lupo", "Faro")))
    )
    assert fill_in_missing_columns(bare, before) == (
        {"list": "limited", "card": "BRACE", "aliases": "Tizzone"},
        {"list": "limited", "card": "Lupo"},
        {"list": "limited", "card": "Faro"},
        {"list": "excluded_together", "card": "Uno", "with": "Due"},
    )
    whole = read_card_list_rows(
        numbered({"list": "limited", "card": "Brace", "aliases": "", "with": ""})
    )
    assert fill_in_missing_columns(whole, before) == ({"list": "limited", "card": "Brace"},)


def test_a_card_removed_after_use_may_be_limited_too() -> None:
    rows = ({"list": "limited", "card": "Faro"}, {"list": "remove_after_use", "card": "Faro"})
    assert read_card_list_rows(numbered(*rows)).problems == ()


def test_the_shipped_files_are_read_as_an_organisers_would_be() -> None:
    for shape in FORMATS:
        for lists in shape.shipped:
            rows = [
                {
                    "list": which,
                    "card": card.name,
                    "expansion": card.expansion,
                    "aliases": "|".join(card.aliases),
                    "with": card.partner,
                }
                for which, cards in lists.cards.items()
                for card in cards
            ]
            read = read_card_list_rows(numbered(*rows))
            assert read.problems == ()
            assert lists.dated is not None
            assert read_card_lists(read.rows, dated=lists.dated) == lists
            assert find_shipped_lists(shape, lists.dated) is lists


@pytest.mark.parametrize("shape", [EXO, ORIGINAL], ids=lambda shape: shape.key)
def test_lists_hold_in_every_format(shape) -> None:  # type: ignore[no-untyped-def]
    rows = (
        {"list": "banned", "card": "Brace", "aliases": "Tizzone"},
        {"list": "limited", "card": "Lupo"},
        {"list": "semi_limited", "card": "Faro"},
        {"list": "excluded_together", "card": "Uno", "with": "Due"},
    )
    listed = apply_card_lists(shape, read_card_lists(rows, dated=DAY))
    text = f"{shape.main}\n1 Tizzone\n2 Lupo\n3 Faro\n1 uno\n1 Due\n"
    found = [
        (v.code, v.card, v.found, v.maximum) for v in listed.validate(parse_decklist(text, listed))
    ]
    assert ("card.banned", "Tizzone", 1, 0) in found
    assert ("card.limited", "Lupo", 2, 1) in found
    assert ("card.limited", "Faro", 3, 2) in found
    assert ("cards.excluded_together", "uno", None, None) in found
    words = " ".join(map(str, listed.describe()))
    assert "Can’t be played together: “Uno” and “Due”." in words
    assert "Semi-limited cards: at most 2" in words


def test_a_format_without_lists_says_nothing_of_them() -> None:
    words = " ".join(map(str, EXO.describe()))
    assert not any(said in words for said in ("Banned cards", "Limited cards", "Not together"))
    assert apply_card_lists(EXO, NO_LISTS).checks == EXO.checks


def test_a_list_never_raises_the_limit_of_copies() -> None:
    lists = read_card_lists([{"list": "semi_limited", "card": "Faro"}], dated=DAY)
    one = house_format(EXO, HouseChanges(limits={"copies": 1}), key="x", name="x")
    for shape, expected in ((EXO, []), (one, ["copies.too_many"])):
        strict = apply_card_lists(shape, lists)
        found = strict.validate(parse_decklist("Main\n2 Faro", strict))
        assert [v.code for v in found if v.card == "Faro"] == expected


def test_the_difference_says_what_was_added_removed_moved_and_changed() -> None:
    old = read_card_lists(
        [
            {"list": "banned", "card": "Brace"},
            {"list": "banned", "card": "Lupo"},
            {"list": "limited", "card": "Faro", "expansion": "DT"},
            {"list": "excluded_together", "card": "Uno", "with": "Due"},
        ],
        dated=DAY,
    )
    new = read_card_lists(
        [
            {"list": "limited", "card": "BRACE"},
            {"list": "limited", "card": "Faro", "expansion": "WAR"},
            {"list": "semi_limited", "card": "Nebbia"},
            {"list": "excluded_together", "card": "Due", "with": "Uno"},
        ],
        dated=DAY,
    )
    found = compare_lists(old, new)
    assert [(card.name, before, after) for card, before, after in found.moved] == [
        ("BRACE", BANNED, LIMITED)
    ]
    assert {key: [c.name for c in cards] for key, cards in found.added.items()} == {
        SEMI_LIMITED: ["Nebbia"]
    }
    assert {key: [c.name for c in cards] for key, cards in found.removed.items()} == {
        BANNED: ["Lupo"]
    }
    assert [card.expansion for card in found.changed[LIMITED]] == ["WAR"]
    assert not found.is_empty
    assert compare_lists(new, new).is_empty


CARDS = st.sampled_from("abcdefgh")
SOME_LISTS = st.builds(
    lambda copies, used: read_card_lists(
        [
            *({"list": which, "card": card} for card, which in copies.items()),
            *({"list": REMOVE_AFTER_USE, "card": card} for card in used),
        ],
        dated=DAY,
    ),
    st.dictionaries(CARDS, st.sampled_from(list(COPIES))),
    st.sets(CARDS),
)


@given(old=SOME_LISTS, new=SOME_LISTS)
def test_the_old_lists_with_the_difference_are_the_new_ones(old: CardLists, new: CardLists) -> None:
    changes = compare_lists(old, new)
    made = {which: {card.name for card in old.cards.get(which, ())} for which in LABELS}
    for card, before, after in changes.moved:
        made[before].remove(card.name)
        made[after].add(card.name)
    for which, cards in changes.removed.items():
        made[which] -= {card.name for card in cards}
    for which, cards in changes.added.items():
        assert not made[which] & {card.name for card in cards}
        made[which] |= {card.name for card in cards}
    assert made == {which: {card.name for card in new.cards.get(which, ())} for which in LABELS}
    assert compare_lists(new, new).is_empty


TEXTS = st.text(max_size=12) | st.sampled_from(["banned", "vietate", "limited", "Lupo", "x" * 500])
HEADERS = st.sampled_from(["list", "card", "aliases", "with", "expansion", "other", ""])


@given(rows=st.lists(st.dictionaries(HEADERS, TEXTS), max_size=6))
def test_no_file_is_too_strange(rows: list[dict[str, str]]) -> None:
    read = read_card_list_rows(numbered(*rows))
    assert read.rows or read.problems
    assert all(str(problem.sentence) for problem in read.problems)
    if not read.problems:
        again = read_card_list_rows(numbered(*(dict(row) for row in read.rows)))
        assert (again.rows, again.problems) == (read.rows, ())


def test_the_names_that_are_offered_are_understood() -> None:
    for key, name in LIST_NAMES.items():
        assert card_list_key(str(name)) == key
    for column, name in COLUMN_NAMES.items():
        assert column_key(str(name)) == column
