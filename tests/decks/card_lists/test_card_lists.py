"""Card lists that organisers and the site bring: command, pages, versions."""

from datetime import date
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse
from django.utils import translation
from openpyxl import Workbook

from config.wording import translate
from decks.card_lists.selectors import card_list_rows, read_card_list_file, rows_as_csv
from decks.card_lists.services import load_lists
from decks.models import CardListVersion
from decks.rulebook import current_rules, newest_card_lists
from rules.deckbuilding.card_lists import (
    COLUMN_NAMES,
    LIST_NAMES,
    card_list_key,
    column_key,
    read_card_list_rows,
)
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse_decklist
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
    assert "already exist" in command(SLUG, str(file), "--date", LATER)
    lines = FILE.splitlines()
    file.write_text("\n".join([lines[0], lines[2], lines[1]]))  # in another order
    command(SLUG, str(file), "--date", LATER)
    assert CardListVersion.objects.count() == 1


def test_a_file_in_three_columns_keeps_pairs_and_other_names(tmp_path: Path) -> None:
    path = tmp_path / "lists.csv"
    shipped = card_list_rows(FORMATS.get(SLUG).lists)
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
    assert "already exist" in command(SLUG, str(path), "--date", LATER)
    rules = current_rules(SLUG)
    text = "Sacrificio di Nathaniel\nRiserve Segrete\nBrace"
    codes = {v.code for v in rules.format.validate(parse_decklist(text, rules.format))}
    assert codes >= {"cards.excluded_together", "card.banned"}


def test_other_lists_of_the_same_date_are_refused(file: Path) -> None:
    command(SLUG, str(file), "--date", LATER)
    file.write_text(FILE + "vietate;Faro;\n")
    assert "2027-03-01" in str(refusal(SLUG, str(file), "--date", LATER))
    assert not banned(SLUG, "Faro")
    command(SLUG, str(file), "--date", "2027-03-02")
    assert banned(SLUG, "Faro")


def test_older_lists_are_kept_and_do_not_hold(file: Path) -> None:
    assert "newer card lists apply" in command(SLUG, str(file), "--date", "2020-01-01")
    assert not banned(SLUG, "Brace")
    assert banned(SLUG, "Blocco")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("list,card\nbanned,Brace\nbannd,Lupo\nlimited,\n", ["Row 3:", "Row 4:"]),
        ("list,card\n", ["no cards"]),
        ("", ["no cards"]),
        ("card\nBrace\n", ["Columns missing: List."]),
        ("list,card\nbanned,Brace\n\nbanned,BRACE\n", ["Row 4:", "in row 2"]),
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
    assert "'=1+1 Brace" in rows_as_csv(rows)
    assert read_card_list_file(rows_as_csv(rows).encode()).rows == rows
    shipped = card_list_rows(FORMATS.get(SLUG).lists)
    assert read_card_list_file(rows_as_csv(shipped).encode()).rows == shipped


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
    newest = newest_card_lists(SLUG, owner_id=anna.pk)
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


def browser(**fields: Any) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(make.user(**fields))
    return client


def upload(content: str, **fields: str) -> dict[str, Any]:
    sent = SimpleUploadedFile("lists.csv", content.encode())
    return {"file": sent, "dated": "2026-12-24", **fields}


NEW = reverse("decks:lists_load", args=[SLUG])


SMALL = "list,card\nlimited,Blocco\nbanned,Brace\n"


def hidden(page: str) -> dict[str, str]:
    start = page.index('<form method="post"', page.index('id="look"'))
    form = page[start : page.index("</form>", start)]
    fields = {}
    for part in form.split("<input")[1:]:
        name, value = part.split('name="')[1].split('"')[0], part.split('value="')[1].split('"')[0]
        fields[name] = value.replace("&quot;", '"').replace("&amp;", "&").replace("&#x27;", "'")
    return fields | {"store": "1"}


def test_a_file_is_looked_at_before_it_is_stored() -> None:
    organiser = browser()
    answer = organiser.post(NEW, upload(SMALL))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Moved (1)" in page
    assert "BLOCCO" in page.upper()
    assert "Banned cards · Added (1)" in page
    assert "Banned cards · Removed (27)" in page
    assert "exclude each other · Removed" not in page
    assert not CardListVersion.objects.exists()
    stored = organiser.post(NEW, hidden(page), follow=True)
    assert "Saved." in stored.content.decode()
    version = CardListVersion.objects.get()
    assert (version.owner, version.loaded_by) == (version.loaded_by, version.owner)
    assert version.dated == date(2026, 12, 24)
    assert [row["card"] for row in version.rows][:2] == ["Blocco", "Brace"]
    assert version.rows[2]["with"] == "RISERVE SEGRETE"
    again = organiser.post(NEW, hidden(page), follow=True)
    assert "already exist" in again.content.decode()


def test_problems_are_shown_by_row() -> None:
    answer = browser().post(NEW, upload("list,card\nbanned,Brace\nxx,<b>Lupo\n"))
    page = answer.content.decode()
    assert answer.status_code == 400
    assert '<th scope="row">3</th>' in page
    assert "Use one of: banned" in page


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"dated": "2026-12-24"},
        {"rows": "list,card\nbanned,x\n"},
        {"rows": "list,card\nbanned,x\n", "dated": "9999-12-31", "store": "1"},
        {"rows": "\x00", "dated": "2026-12-24", "store": "1"},
        {"rows": "PK\x03\x04", "dated": "2026-12-24", "store": "1"},
    ],
)
def test_a_form_without_file_or_date_is_refused(fields: dict[str, str]) -> None:
    assert browser().post(NEW, fields).status_code == 400
    assert not CardListVersion.objects.exists()


def test_only_staff_of_the_site_load_for_everybody() -> None:
    assert 'name="for_site"' not in browser().get(NEW).content.decode()
    browser().post(NEW, {"rows": SMALL, "dated": "2026-12-24", "for_site": "on", "store": "1"})
    assert CardListVersion.objects.get().owner is not None
    staff = browser(is_staff=True)
    assert 'name="for_site"' in staff.get(NEW).content.decode()
    page = staff.post(NEW, upload(SMALL, for_site="on")).content.decode()
    assert "The whole site" in page
    staff.post(NEW, hidden(page))
    assert CardListVersion.objects.filter(owner=None).count() == 1
    assert banned(SLUG, "Brace")


def test_who_may_not_make_events_brings_no_lists() -> None:
    assert browser(can_create_events=False).get(NEW).status_code == 403
    assert browser().get(reverse("decks:lists_load", args=["chess"])).status_code == 404
    assert Client().post(NEW, upload(SMALL)).status_code == 302


def test_the_page_of_a_format_has_the_history_of_its_lists() -> None:
    staff = make.user(is_staff=True)
    day = date(2026, 12, 24)
    loaded = load_lists(slug=SLUG, rows=ROWS, dated=day, for_site=True, by=staff).version
    own = load_lists(slug=SLUG, rows=ROWS[:1], dated=day, for_site=False, by=staff).version
    address = reverse("decks:format", args=[SLUG])
    anybody = Client(headers={"accept-language": "en"})
    page = anybody.get(address).content.decode()
    versions = [
        reverse("decks:lists_version", args=[SLUG, key]) for key in (loaded.pk, "2026-11-21")
    ]
    assert all(version in page for version in versions)
    assert reverse("decks:lists_version", args=[SLUG, own.pk]) not in page
    assert page.count("in force") == 1
    signed = Client()
    signed.force_login(staff)
    assert (
        reverse("decks:lists_version", args=[SLUG, own.pk]) in signed.get(address).content.decode()
    )
    shown = anybody.get(versions[1]).content.decode()
    assert '<time datetime="2026-11-21">21 November 2026</time>' in shown
    assert "Banned cards (28)" in shown
    assert "IL SACRIFICIO DI NATHANIEL + RISERVE SEGRETE" in shown
    assert "in force" in anybody.get(versions[0]).content.decode()


def test_a_version_can_be_downloaded_and_loaded_again() -> None:
    answer = Client().get(reverse("decks:lists_csv", args=[SLUG, "2026-11-21"]))
    assert answer["Content-Type"].startswith("text/csv")
    assert f"{SLUG}-2026-11-21.csv" in answer["Content-Disposition"]
    assert read_card_list_file(answer.content).rows == card_list_rows(FORMATS.get(SLUG).lists)


@pytest.mark.parametrize("key", ["0", "999999", "9" * 30, "2020-01-01", "today", "²"])
def test_a_version_that_is_not_there_is_not_found(key: str) -> None:
    assert Client().get(f"/formats/{SLUG}/lists/{key}/").status_code == 404
    assert Client().get(f"/formats/{SLUG}/lists/{key}.csv").status_code == 404


def test_a_version_of_another_format_is_not_found() -> None:
    other = load_lists(
        slug="yugioh-2009", rows=ROWS, dated=date(2027, 1, 1), for_site=True, by=None
    ).version
    assert Client().get(f"/formats/{SLUG}/lists/{other.pk}/").status_code == 404
    assert Client().get(f"/formats/yugioh-2009/lists/{other.pk}/").status_code == 200


def test_a_large_file_is_refused() -> None:
    large = SimpleUploadedFile("lists.csv", b"list,card\n" + b"banned,x\n" * 200_000)
    answer = browser().post(NEW, {"file": large, "dated": "2026-12-24"})
    assert answer.status_code == 400
    assert BytesIO(answer.content).getbuffer().nbytes < 200_000


def test_whose_lists_hold_is_said() -> None:
    owner = make.user()
    signed = Client(headers={"accept-language": "en"})
    signed.force_login(owner)
    address = reverse("decks:format", args=[SLUG])
    old = load_lists(slug=SLUG, rows=ROWS, dated=date(2026, 12, 1), for_site=False, by=owner)
    own = load_lists(slug=SLUG, rows=ROWS, dated=date(2026, 12, 2), for_site=False, by=owner)
    page = signed.get(address).content.decode()
    assert page.count("in force") == 2
    for version, holds in ((old, False), (own, True)):
        shown = Client(headers={"accept-language": "en"}).get(
            f"{address}lists/{version.version.pk}/"
        )
        assert ("in force" in shown.content.decode()) is holds
    load_lists(slug=SLUG, rows=ROWS, dated=date(2026, 12, 3), for_site=True, by=None)
    assert signed.get(address).content.decode().count("in force") == 1


def test_the_page_makes_the_same_queries_for_many_versions(
    django_assert_num_queries: Any, client: Client
) -> None:
    owner = make.user()
    client.force_login(owner)
    address = reverse("decks:format", args=[SLUG])
    for day in range(1, 8):
        load_lists(slug=SLUG, rows=ROWS, dated=date(2027, 1, day), for_site=False, by=owner)
        if day in (1, 7):
            with django_assert_num_queries(6):
                client.get(address)


def test_what_italian_sentences_offer_is_understood() -> None:
    with translation.override("it"):
        assert [card_list_key(translate(name)) for name in LIST_NAMES.values()] == [*LIST_NAMES]
        assert [column_key(translate(name)) for name in COLUMN_NAMES.values()] == [*COLUMN_NAMES]
        read = read_card_list_rows([(2, {"list": "xx", "card": "Lupo"})])
        said = translate(read.problems[0].sentence)
    assert "vietate, limitate, semilimitate, escluse insieme, rimosse dopo l’uso" in said
