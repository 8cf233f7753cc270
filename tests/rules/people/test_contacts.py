"""Contacts of people, and how many are read."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from rules.errors import BadInput
from rules.people.contacts import (
    LONGEST_ADDRESS,
    LONGEST_MEMBERSHIP,
    LONGEST_NUMBER,
    MOST_DAYS,
    MOST_MEMBERSHIPS,
    UNNAMED,
    ContactTerms,
    check_unique_memberships,
    clean_email,
    clean_memberships,
    column_membership_key,
    membership_name,
    parse_contact,
    read_terms,
    shared_memberships,
)


def code_of(call: object, *args: object) -> str:
    with pytest.raises(BadInput) as refused:
        call(*args)  # type: ignore[operator]
    return refused.value.code


def test_terms_are_tidied_and_come_back_from_json() -> None:
    terms = read_terms(
        {"email": True, "memberships": [" Play!  ID ", " "], "why": " a  b ", "days": 7}
    )
    assert terms == ContactTerms(email=True, memberships=("Play! ID",), why="a b", days=7)
    assert read_terms(terms.as_json()) == terms
    assert read_terms({}) == ContactTerms()
    ended = datetime(2026, 11, 21, tzinfo=UTC)
    assert terms.end(ended) - ended == timedelta(days=7)


@pytest.mark.parametrize(
    ("stored", "code"),
    [
        ({"memberships": ["A", "a"]}, "bad_memberships"),
        ({"memberships": ["!"]}, "bad_memberships"),
        ({"memberships": ["A" * (LONGEST_MEMBERSHIP + 1)]}, "bad_memberships"),
        ({"memberships": [f"A{n}" for n in range(MOST_MEMBERSHIPS + 1)]}, "bad_memberships"),
        ({"days": 6}, "bad_days"),
        ({"days": 366}, "bad_days"),
    ],
)
def test_terms_that_cannot_be(stored: Mapping[str, object], code: str) -> None:
    assert code_of(read_terms, stored) == code


def test_a_list_brings_what_can_be_a_contact_and_names_the_rest() -> None:
    found = parse_contact(
        [
            ("E-mail", "anna@example.org"),
            ("Email", "anna at example"),
            ("Mail", ""),
            ("Konami ID", "0123"),
            ("Konami-ID", "77"),
            ("DCI", "!"),
        ]
    )
    assert (found.email, found.memberships) == ("anna@example.org", {"konami-id": "0123"})
    assert found.wrong == ("anna at example", "77", "!")


@pytest.mark.parametrize(
    ("column", "asked", "key"),
    [
        ("Player ID", ["Konami"], "konami"),
        ("Player ID", [], "player-id"),
        ("Tessera", ["Konami", "DCI"], "tessera"),
        ("Bandai TCG+ ID", [], "bandai-tcg-id"),
        ("Lupo", ["Lupo"], "lupo"),
        ("Lupo", ["Orso"], ""),
    ],
)
def test_the_membership_of_a_column(column: str, asked: list[str], key: str) -> None:
    assert column_membership_key(column, asked) == key


def test_what_a_membership_is_called() -> None:
    assert membership_name("konami-id", []) == "Konami ID"
    assert membership_name("konami-id", ["KONAMI ID"]) == "KONAMI ID"
    assert membership_name("lega-lupo", []) == "Lega lupo"
    assert membership_name(UNNAMED, []) == ""
    assert membership_name(UNNAMED, ["Player ID"]) == "Player ID"


def test_addresses_and_numbers() -> None:
    assert clean_email(" anna@example.org ") == "anna@example.org"
    assert clean_email(" ") == ""
    for wrong in ("anna", f"{'a' * LONGEST_ADDRESS}@example.org", "anna@exa\u202emple.org"):
        assert code_of(clean_email, wrong) == "bad_email"
    assert clean_memberships({"Konami": " 01  23 ", "DCI": " "}) == {"konami": "01 23"}
    for numbers in (
        {"!": "1"},
        {"A": "1", "a": "2"},
        {"A": "-"},
        {"A" * (LONGEST_MEMBERSHIP + 1): "1"},
        {"A": "1" * (LONGEST_NUMBER + 1)},
        {"A": "3.1E+08"},
    ):
        assert code_of(clean_memberships, numbers) == "bad_membership"
    many = {f"A{n}": "1" for n in range(MOST_MEMBERSHIPS + 1)}
    assert code_of(clean_memberships, many) == "bad_memberships"


def test_a_number_is_of_one_player() -> None:
    assert shared_memberships([{"dci": "a1"}, {"dci": "A1", "konami": "7"}]) == {("dci", "a1")}
    check_unique_memberships({"dci": "A1"}, [{"konami": "A1"}, {"dci": "A2"}])
    with pytest.raises(BadInput) as refused:
        check_unique_memberships({"dci": "A1"}, [{"dci": "a1"}])
    assert refused.value.code == "membership_twice"
    assert refused.value.sentence.values["path"] == "memberships.dci"


@pytest.mark.parametrize(
    ("stored", "code"),
    [
        ({"memberships": ["konami", "Konami"]}, "bad_memberships"),
        ({"memberships": ["x" * 500]}, "bad_memberships"),
        ({"days": MOST_DAYS + 1}, "bad_days"),
    ],
)
def test_terms_that_cannot_be_asked_for(stored, code):
    with pytest.raises(BadInput) as refused:
        read_terms(stored)
    assert refused.value.code == code


@pytest.mark.parametrize("text", ["1" * (LONGEST_NUMBER + 1), "---", "1\u202e2"])
def test_a_number_that_is_none(text):
    with pytest.raises(BadInput) as refused:
        clean_memberships({"konami": text})
    assert refused.value.code == "bad_membership"


def test_a_number_that_is_empty_is_left_out():
    assert clean_memberships({"konami": " ", "dci": "1 2"}) == {"dci": "1 2"}
