"""Card lists that organisers and the site bring: command, pages, versions."""

from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.core.management.base import CommandError
from openpyxl import Workbook

from decks.card_lists.selectors import as_csv, read_list_file, rows_of
from decks.card_lists.services import load_lists
from decks.models import CardListVersion
from decks.rulebook import newest_version, rules_of
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse
from rules.errors import RuleError
from tests import factories as make
from tests.decks.card_lists.conftest import FILE, ROWS, SLUG, banned

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

LATER = "2027-03-01"


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("load_lists", *arguments, stdout=out)
    return out.getvalue()


def refusal(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as refused:
        command(*arguments)
    assert refused.value.returncode == 2
    return refused.value


def test_the_command_loads_lists_that_hold_at_once(file: Path) -> None:
    assert not banned(SLUG, "Brace")
    out = command(SLUG, str(file), "--date", LATER)
    assert "2027-03-01" in out
    assert banned(SLUG, "Brace")
    assert not banned(SLUG, "Blocco")  # the lists take the place of those before
    assert not banned("doomtrooper-open", "Brace")


@pytest.mark.parametrize("slug", FORMATS.keys())
def test_every_format_can_have_lists(slug: str, file: Path) -> None:
    command(slug, str(file), "--date", LATER)
    assert banned(slug, "Brace")


def test_a_workbook_does_as_well(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["list", "card", "aliases"])
    book.active.append(["banned", "Brace", "Tizzone|Carbone"])
    path = tmp_path / "lists.xlsx"
    book.save(path)
    command(SLUG, str(path), "--date", LATER)
    assert banned(SLUG, "Carbone")


def test_the_same_file_twice_changes_nothing(file: Path) -> None:
    command(SLUG, str(file), "--date", LATER)
    assert "Nothing has changed" in command(SLUG, str(file), "--date", LATER)
    lines = FILE.splitlines()
    file.write_text("\n".join([lines[0], lines[2], lines[1]]))  # in another order
    command(SLUG, str(file), "--date", LATER)
    assert CardListVersion.objects.count() == 1


def test_a_file_in_three_columns_keeps_pairs_and_other_names(tmp_path: Path) -> None:
    path = tmp_path / "lists.csv"
    shipped = rows_of(FORMATS.get(SLUG).lists)
    path.write_text(
        "list,card,expansion\n"
        + "".join(
            f"{row['list']},{row['card']},{row.get('expansion', '')}\n"
            for row in shipped
            if "with" not in row
        )
        + "banned,Brace,DT\n"
    )
    command(SLUG, str(path), "--date", LATER)
    version = CardListVersion.objects.get()
    assert (*shipped[:28], *version.rows[28:-2], version.rows[-1]) == (*shipped,)
    assert "Nothing has changed" in command(SLUG, str(path), "--date", LATER)
    rules = rules_of(SLUG)
    text = "Sacrificio di Nathaniel\nRiserve Segrete\nBrace"
    codes = {v.code for v in rules.format.validate(parse(text, rules.format))}
    assert codes >= {"cards.excluded_together", "card.banned"}


def test_other_lists_of_the_same_date_are_refused(file: Path) -> None:
    command(SLUG, str(file), "--date", LATER)
    file.write_text(FILE + "vietate;Faro;\n")
    assert "2027-03-01" in str(refusal(SLUG, str(file), "--date", LATER))
    assert not banned(SLUG, "Faro")
    command(SLUG, str(file), "--date", "2027-03-02")
    assert banned(SLUG, "Faro")


def test_older_lists_are_kept_and_do_not_hold(file: Path) -> None:
    assert "newer lists are in force" in command(SLUG, str(file), "--date", "2020-01-01")
    assert not banned(SLUG, "Brace")
    assert banned(SLUG, "Blocco")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("list,card\nbanned,Brace\nbannd,Lupo\nlimited,\n", ["Line 3:", "Line 4:"]),
        ("list,card\n", ["names no card"]),
        ("", ["names no card"]),
        ("card\nBrace\n", ["Columns missing: list."]),
        ("list,card\nbanned,Brace\n\nbanned,BRACE\n", ["Line 4:", "line 2 already"]),
    ],
)
def test_problems_are_told_by_line_and_nothing_is_loaded(
    tmp_path: Path, content: str, says: list[str]
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(content)
    told = str(refusal(SLUG, str(path), "--date", LATER))
    assert all(words in told for words in says)
    assert not CardListVersion.objects.exists()


def test_what_is_no_format_file_or_date_is_refused(file: Path, tmp_path: Path) -> None:
    assert "chess" in str(refusal("chess", str(file), "--date", LATER))
    assert "date" in str(refusal(SLUG, str(file), "--date", "1 May"))
    refusal(SLUG, str(tmp_path / "none.csv"), "--date", LATER)
    strange = tmp_path / "strange.xlsx"
    strange.write_bytes(b"PK\x03\x04 and nothing more")
    refusal(SLUG, str(strange), "--date", LATER)
    assert not CardListVersion.objects.exists()


def test_lists_survive_as_a_file() -> None:
    rows = (
        {"list": "banned", "card": "=1+1 Brace", "aliases": "-Lupo|@Faro"},
        {"list": "excluded_together", "card": "Uno", "with": "Due, e tre"},
    )
    assert "'=1+1 Brace" in as_csv(rows)
    assert read_list_file(as_csv(rows).encode()).rows == rows
    shipped = rows_of(FORMATS.get(SLUG).lists)
    assert read_list_file(as_csv(shipped).encode()).rows == shipped


def test_an_organisers_lists_hold_for_their_events_only() -> None:
    anna, bruno = make.user(), make.user()
    load_lists(slug=SLUG, rows=ROWS, dated=date(2027, 1, 1), for_site=False, by=anna)
    assert banned(SLUG, "Brace", anna.pk)
    assert not banned(SLUG, "Brace", bruno.pk)
    assert not banned(SLUG, "Brace")
    for by, for_site in ((make.user(can_create_events=False), False), (bruno, True)):
        with pytest.raises(PermissionDenied):
            load_lists(slug=SLUG, rows=ROWS, dated=date(2027, 1, 2), for_site=for_site, by=by)
    staff = make.user(is_staff=True)
    load_lists(slug=SLUG, rows=ROWS, dated=date(2027, 1, 2), for_site=True, by=staff)
    assert banned(SLUG, "Brace")
    newest = newest_version(SLUG, owner_id=anna.pk)
    assert newest is not None
    assert newest.owner is None


def test_one_date_is_taken_by_owner() -> None:
    anna, bruno = make.user(), make.user()
    day = date(2027, 1, 1)
    load_lists(slug=SLUG, rows=ROWS, dated=day, for_site=False, by=anna)
    load_lists(slug=SLUG, rows=ROWS[:1], dated=day, for_site=False, by=bruno)
    with pytest.raises(RuleError) as refused:
        load_lists(slug=SLUG, rows=ROWS[:1], dated=day, for_site=False, by=anna)
    assert refused.value.code == "lists_of_that_date"
