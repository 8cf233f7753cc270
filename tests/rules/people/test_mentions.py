"""Names found in texts: whole, in either order, and never inside somebody else's."""

import pytest

from rules.people.mentions import Mentions

LABEL = "Giocatore 7"


def of(*names: str, others: tuple[str, ...] = ()) -> Mentions:
    return Mentions(frozenset(names), LABEL, frozenset(others))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Marco Rossi", LABEL),
        ("3/2: Marco Rossi – Luigi Verdi", f"3/2: {LABEL} – Luigi Verdi"),
        ("vince MARCO  ROSSI!", f"vince {LABEL}!"),
        ("Rossi Marco e Rossi, Marco", f"{LABEL} e {LABEL}"),
        ("Marco Rossini e Gianmarco Rossi", "Marco Rossini e Gianmarco Rossi"),
        ("Il signor Rossi", "Il signor Rossi"),
    ],
)
def test_a_whole_name_is_found(text: str, left: str) -> None:
    assert of("Marco Rossi").text(text) == left


def test_single_words_are_found_where_the_text_is_about_the_person() -> None:
    found = of("Marco Rossi", others=("Marco Bianchi",))
    assert found.text("Rossi e Marco litigano", parts=True) == f"{LABEL} e Marco litigano"
    assert found.text("i rossi attaccano", parts=True) == "i rossi attaccano"


def test_a_longer_name_of_somebody_else_is_left() -> None:
    found = of("Marco", others=("Marco Rossi",))
    assert found.text("Marco batte Marco Rossi") == f"{LABEL} batte Marco Rossi"


@pytest.mark.parametrize("name", ["Al", "X", "+"])
def test_a_short_name_is_found_only_by_itself(name: str) -> None:
    found = of(name)
    assert found.text(f"{name} tavolo 3") == f"{name} tavolo 3"
    assert found.text(f"1/1: {name} – Bea") == f"1/1: {LABEL} – Bea"


def test_a_single_word_is_matched_as_written() -> None:
    assert of("Rosa").text("la rosa di Rosa") == f"la rosa di {LABEL}"


def test_a_name_that_another_has_too_stands_for_both() -> None:
    shared = {"marco rossi": "Giocatore 7/9"}
    found = Mentions(frozenset({"Marco Rossi"}), LABEL, frozenset({"Marco Rossi"}), shared)
    assert found.text("Marco Rossi si lamenta") == "Giocatore 7/9 si lamenta"


def test_data_holds_no_name_as_key_or_value() -> None:
    data = {"Marco Rossi": 1, "list": ["Marco Rossi", 2, None], "in": {"text": "Da Marco Rossi"}}
    assert of("Marco Rossi").data(data) == {
        LABEL: 1,
        "list": [LABEL, 2, None],
        "in": {"text": f"Da {LABEL}"},
    }


def test_addresses_are_replaced_wherever_they_stand() -> None:
    found = Mentions(frozenset(), LABEL, exact={"m.rossi@example.org": "x@girone.invalid"})
    assert found.text("scrivi a M.Rossi@example.org") == "scrivi a x@girone.invalid"
    assert found.text("mm.rossi@example.org") == "mm.rossi@example.org"


def test_a_text_holds_a_name_or_stays() -> None:
    assert of("Marco Rossi").holds("MARCO ROSSI arbitra")
    assert not of("Marco Rossi").holds("Marco arbitra")
    assert not of("Marco Rossi").holds("")
    assert not of().holds("Marco Rossi arbitra"), "somebody without a name is in no text"


@pytest.mark.parametrize(
    ("text", "remains"),
    [
        ("La signora Canarelli è attesa", True),
        ("CANÀRELLI!", True),
        ("zefirina", True),
        ("Bo", False),
        ("Canarellini", False),
        ("Zefirina Verdi vince", False),
        ("Zefirina Verdi e Zefirina", True),
        (LABEL, False),
        ("", False),
    ],
)
def test_a_single_word_of_four_letters_may_remain(text: str, remains: bool) -> None:
    mentions = of("Zefirina Bo Canàrelli", others=("Zefirina Verdi",))
    assert mentions.may_remain(text) is remains


def test_short_names_have_no_telling_word() -> None:
    assert not of("Ada Bo").may_remain("Ada e Bo")
    assert not Mentions(frozenset(), LABEL).may_remain("Ada")
