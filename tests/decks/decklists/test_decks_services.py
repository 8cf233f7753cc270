"""Lists handed in: what is kept of them, and how it comes back."""

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from config.wording import translate
from decks.checking import MOST_ENTRIES, check_text, check_zones
from decks.decklists.samples import sample_deck
from decks.decklists.selectors import checked_row, deck_of, decklist_row, violations_of
from decks.decklists.services import store_decklist
from decks.models import Decklist
from decks.rulebook import DeckRules, deck_format
from rules.deckbuilding.formats import FORMATS
from rules.errors import BadInput

EXO = "creatures-of-exo"
BAD = "Main\n3 Lupo {Leader}\n0 Nulla\nFusione\n1 Brace"


def shipped(key: str) -> DeckRules:
    """Return the rules of a format as it comes with the program."""
    return DeckRules(format=deck_format(key))


@pytest.mark.django_db
def test_a_legal_list_is_stored_with_its_cards() -> None:
    text = sample_deck(EXO, 5)
    stored = store_decklist(rules=shipped(EXO), text=text, name="Prova")
    stored.refresh_from_db()
    assert (stored.legal, stored.raw, stored.violations) == (True, text, [])
    assert stored.counts == {"leader": 1, "main": 30, "evolution": 5, "side": 5}
    assert len(stored.fingerprint) == 64
    assert str(stored) == "Prova"
    assert deck_of(stored).counts() == stored.counts


@pytest.mark.django_db
def test_an_illegal_list_is_stored_with_its_faults() -> None:
    stored = store_decklist(rules=shipped(EXO), text=BAD)
    stored.refresh_from_db()
    assert stored.legal is False
    assert violations_of(stored) == check_text(shipped(EXO), text=BAD).violations
    assert [row["code"] for row in stored.violations][:2] == ["zone.too_few", "zone.too_few"]


@pytest.mark.django_db
def test_each_submission_is_a_row_and_equal_cards_have_one_fingerprint() -> None:
    one = store_decklist(rules=shipped(EXO), text="Main\nBrace\n2 Lupo")
    two = store_decklist(rules=shipped(EXO), text="# altro ordine\nLupo x2\nBrace")
    other = store_decklist(rules=shipped(EXO), text="Main\nBrace\n1 Lupo")
    assert Decklist.objects.count() == 3
    assert one.fingerprint == two.fingerprint != other.fingerprint
    assert list(Decklist.objects.all()) == [other, two, one]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a" * (64 * 1024 + 1), "text_too_long"),
        ("é" * (32 * 1024 + 1), "text_too_long"),
        ("Brace\x00", "text_unstorable"),
        ("Brace\ud800", "text_unstorable"),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        store_decklist(rules=shipped(EXO), text=text)
    assert refused.value.code == code


def test_an_unknown_format_and_endless_zones_are_refused() -> None:
    with pytest.raises(BadInput) as unknown:
        shipped("chess")
    assert unknown.value.code == "unknown_format"
    entries = [{"name": "Brace"}] * (MOST_ENTRIES + 1)
    with pytest.raises(BadInput) as endless:
        check_zones(shipped(EXO), zones={"main": entries})
    assert endless.value.code == "text_too_long"


@pytest.mark.django_db
def test_stored_faults_are_told_in_the_readers_language() -> None:
    stored = store_decklist(rules=shipped(EXO), text=BAD)
    with override("en"):
        english = decklist_row(stored)
        assert [row.text for row in english.violations] == [
            translate(violation.sentence) for violation in violations_of(stored)
        ]
        assert english.violations[0].word == "Error"
    assert (english.legal, english.errors) == (False, len(english.violations) - 1)


def test_a_warning_about_a_list_is_no_penalty() -> None:
    with override("it"):
        row = checked_row(check_text(shipped("saint-seiya"), text="45 Onda {Tecnica}"))
    assert [fault.word for fault in row.violations if fault.severity == "warning"] == ["Avviso"] * 3


@pytest.mark.django_db
def test_a_row_for_display_makes_no_query(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    stored = store_decklist(rules=shipped(EXO), text=sample_deck(EXO, 5))
    with django_assert_num_queries(0):
        row = decklist_row(stored)
    assert [(zone.key, zone.size) for zone in row.zones] == list(stored.counts.items())


def test_a_list_can_be_shown_without_being_stored() -> None:
    row = checked_row(check_text(shipped(EXO), text=BAD))
    assert (row.fingerprint, row.created_at) == ("", None)
    assert [zone.key for zone in row.zones] == ["leader", "main", "evolution", "side", "fusion"]


@pytest.mark.parametrize("key", FORMATS.keys())
@given(number=st.integers(0, 500))
def test_each_format_has_legal_sample_lists(key: str, number: int) -> None:
    checked = check_text(shipped(key), text=sample_deck(key, number))
    assert checked.violations == ()
    assert sample_deck(key, number) == sample_deck(key, number)


def test_sample_lists_differ() -> None:
    assert len({sample_deck(EXO, number) for number in range(200)}) == 200
