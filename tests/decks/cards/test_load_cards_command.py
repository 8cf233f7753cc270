"""load_cards: exit codes, what it reports, and that nothing is half loaded."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from decks.cards.catalogues import find_catalogue
from decks.models import Card, Catalogue
from tests.decks.cards.files import WOLVES, as_xlsx, many
from tests.decks.cards.published_files import as_json, magic

pytestmark = pytest.mark.django_db


def run(tmp_path: Path, content: str | bytes, *more: str, game: str = "thoom") -> tuple[int, str]:
    file = tmp_path / "cards.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    out = StringIO()
    try:
        with override("en"):
            call_command("load_cards", game, str(file), *more, stdout=out)
    except CommandError as refused:
        return refused.returncode, str(refused)
    return 0, out.getvalue().strip()


def test_cards_come_and_the_second_load_changes_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, WOLVES) == (0, "Added: 3, changed: 0, unchanged: 0, removed: 0")
    before = list(Catalogue.objects.values()), list(Card.objects.order_by("pk").values())
    assert run(tmp_path, WOLVES) == (0, "Added: 0, changed: 0, unchanged: 3, removed: 0")
    assert before == (list(Catalogue.objects.values()), list(Card.objects.order_by("pk").values()))
    (catalogue,) = Catalogue.objects.all()
    assert (catalogue.game, catalogue.owner, catalogue.version) == ("thoom", None, 1)


def test_changes_keep_the_card_and_raise_the_version(tmp_path: Path) -> None:
    run(tmp_path, WOLVES)
    card = Card.objects.get(key="lupo di vetro")
    changed = WOLVES.replace("Lupo di Vetro", "LUPO DI VETRO").replace("Morde.", "Ulula.")
    assert run(tmp_path, changed) == (0, "Added: 0, changed: 2, unchanged: 1, removed: 0")
    again = Card.objects.get(pk=card.pk)
    assert (again.name, again.max_copies) == ("LUPO DI VETRO", 1)
    assert Card.objects.get(key="lupo di selce").attributes == {"testo": "Ulula."}
    assert Catalogue.objects.get().version == 2


def test_what_a_file_lacks_stays_unless_it_is_the_whole(tmp_path: Path) -> None:
    run(tmp_path, WOLVES)
    assert run(tmp_path, "nome\nBrace\n") == (0, "Added: 1, changed: 0, unchanged: 0, removed: 0")
    assert Card.objects.count() == 4
    assert run(tmp_path, "nome\nBrace\n", "--whole") == (
        0,
        "Added: 0, changed: 0, unchanged: 1, removed: 3",
    )
    assert [card.name for card in Card.objects.all()] == ["Brace"]


def test_bad_rows_are_told_and_nothing_is_loaded(tmp_path: Path) -> None:
    code, said = run(tmp_path, "nome,copie massime\nLupo,2\n,1\nBrace,x\n")
    assert code == 2
    assert said.splitlines() == [
        "Row 3: The card name is missing.",
        "Row 4: Enter a whole number from 0 to 999.",
        "Not saved",
    ]
    assert not Catalogue.objects.exists()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\xff", b"PK\x03\x04rubbish", b"tipo\nLeader\n"])
def test_what_is_no_file_of_cards_is_2(tmp_path: Path, content: bytes) -> None:
    assert run(tmp_path, content)[0] == 2
    assert not Catalogue.objects.exists()


def test_an_unknown_game_and_a_missing_file_are_2(tmp_path: Path) -> None:
    code, said = run(tmp_path, WOLVES, game="chess")
    assert (code, Catalogue.objects.count()) == (2, 0)
    assert said.startswith("Use one of:")
    with pytest.raises(CommandError) as missing:
        call_command("load_cards", "thoom", str(tmp_path / "none.csv"))
    assert missing.value.returncode == 2


def test_a_workbook_loads_like_a_table(tmp_path: Path) -> None:
    book = as_xlsx([line.split(";") for line in WOLVES.splitlines()])
    assert run(tmp_path, book) == (0, "Added: 3, changed: 0, unchanged: 0, removed: 0")


@pytest.mark.deep
def test_many_cards_take_few_queries(tmp_path: Path, django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    content = many(2000)
    with django_assert_max_num_queries(41):
        assert run(tmp_path, content)[1] == "Added: 2,000, changed: 0, unchanged: 0, removed: 0"
    with django_assert_max_num_queries(8):
        assert run(tmp_path, content)[1] == "Added: 0, changed: 0, unchanged: 2,000, removed: 0"
    with django_assert_max_num_queries(41):
        assert (
            run(tmp_path, many(2000, tipo="Mostro"))[1]
            == "Added: 0, changed: 2,000, unchanged: 0, removed: 0"
        )


def test_a_published_catalogue_of_a_game_by_its_name(tmp_path: Path) -> None:
    cards = [magic("Fire // Ice", card_faces=[{"name": "Fire"}, {"name": "Ice"}]), magic("Bear")]
    assert run(tmp_path, as_json(cards), game="Magic") == (
        0,
        "Added: 2, changed: 0, unchanged: 0, removed: 0",
    )
    found = find_catalogue("magic")
    assert found is not None
    assert found.get("ice") is found.get("fire // ice")
    assert found.columns == ("modern", "pauper")
    code, said = run(tmp_path, as_json(cards)[:-30], game="magic")
    assert (code, Card.objects.count()) == (2, 2)
    assert said.startswith("The file is damaged after card 1.")
