"""The pages on which card lists are shown, loaded and downloaded."""

from datetime import date
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation

from config.wording import translate
from decks.card_lists.selectors import read_list_file, rows_of
from decks.card_lists.services import load_lists
from decks.models import CardListVersion
from rules.deckbuilding.card_lists.rows import (
    COLUMN_NAMES,
    LIST_NAMES,
    column_of,
    list_of,
    read_rows,
)
from rules.deckbuilding.formats import FORMATS
from tests import factories as make
from tests.decks.card_lists.conftest import ROWS, SLUG, banned

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


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
    assert "Banned cards: added (1)" in page
    assert "Banned cards: taken out (27)" in page
    assert "never together in a list: taken out" not in page
    assert "What the file has no column for stays" in page
    assert not CardListVersion.objects.exists()
    stored = organiser.post(NEW, hidden(page), follow=True)
    assert "The lists are stored." in stored.content.decode()
    version = CardListVersion.objects.get()
    assert (version.owner, version.loaded_by) == (version.loaded_by, version.owner)
    assert version.dated == date(2026, 12, 24)
    assert [row["card"] for row in version.rows][:2] == ["Blocco", "Brace"]
    assert version.rows[2]["with"] == "RISERVE SEGRETE"
    again = organiser.post(NEW, hidden(page), follow=True)
    assert "were there already" in again.content.decode()


def test_problems_are_shown_by_row() -> None:
    answer = browser().post(NEW, upload("list,card\nbanned,Brace\nxx,<b>Lupo\n"))
    page = answer.content.decode()
    assert answer.status_code == 400
    assert '<th scope="row">3</th>' in page
    assert "There is no list “xx”" in page


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
    assert "to every event of the site" in page
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
    assert page.count("in force today") == 1
    assert "in force for these events" not in page
    signed = Client()
    signed.force_login(staff)
    assert (
        reverse("decks:lists_version", args=[SLUG, own.pk]) in signed.get(address).content.decode()
    )
    shown = anybody.get(versions[1]).content.decode()
    assert 'Card lists of <time datetime="2026-11-21">21 November 2026</time>' in shown
    assert "Banned cards (28)" in shown
    assert "IL SACRIFICIO DI NATHANIEL + RISERVE SEGRETE" in shown
    assert "These lists apply to events" in anybody.get(versions[0]).content.decode()


def test_a_version_can_be_downloaded_and_loaded_again() -> None:
    answer = Client().get(reverse("decks:lists_csv", args=[SLUG, "2026-11-21"]))
    assert answer["Content-Type"].startswith("text/csv")
    assert f"{SLUG}-2026-11-21.csv" in answer["Content-Disposition"]
    assert read_list_file(answer.content).rows == rows_of(FORMATS.get(SLUG).lists)


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
    assert (page.count("in force for these events"), page.count("in force today")) == (1, 1)
    for version, says in ((old, "Other lists apply"), (own, "These lists apply")):
        shown = Client(headers={"accept-language": "en"}).get(
            f"{address}lists/{version.version.pk}/"
        )
        assert says in shown.content.decode()
    load_lists(slug=SLUG, rows=ROWS, dated=date(2026, 12, 3), for_site=True, by=None)
    assert "in force for these events" not in signed.get(address).content.decode()


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
        assert [list_of(translate(name)) for name in LIST_NAMES.values()] == [*LIST_NAMES]
        assert [column_of(translate(name)) for name in COLUMN_NAMES.values()] == [*COLUMN_NAMES]
        read = read_rows([(2, {"list": "xx", "card": "Lupo"})])
        said = translate(read.problems[0].sentence)
    assert "vietate, limitate, semilimitate, escluse insieme, rimosse dopo l’uso" in said
