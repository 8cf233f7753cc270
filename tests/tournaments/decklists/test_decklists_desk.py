"""The staff's pages of lists: correct one, open one, see which are wanting, tell the players."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.browsers import text, url
from tournaments.core.permissions import Actor
from tournaments.decklists import services as deck_locks
from tournaments.decklists import services as decklists
from tournaments.models import DeckSubmission, Entry, Event
from tournaments.models.tables import clear_row_marks

pytestmark = pytest.mark.django_db

EXO = "creatures-of-exo"


@pytest.fixture
def people(event, by):
    return make.players(event, 4, by)


def move_deadline(event, **by):
    Event.objects.filter(pk=event.pk).update(decklist_deadline=timezone.now() + timedelta(**by))
    clear_row_marks()


def texts(page):
    """Return what stands in the text areas of a page."""
    return [text.strip() for text in re.findall(r"<textarea[^>]*>(.*?)</textarea>", page, re.S)]


def test_a_list_is_corrected_with_a_reason_after_the_lock(signed, event, people):
    ada = people[0]
    first = decklists.submit_decklist(entry=ada, text="1 Eco", by=Actor(entry=ada))
    move_deadline(event, hours=-1)
    to = url("manage-player-decklist", event, 1)
    sent = {"text": "2 Eco", "expected": str(first.pk)}
    refused = signed.post(to, sent)
    assert refused.status_code == 400
    assert ">\n2 Eco</textarea>" in refused.content.decode()
    assert signed.post(to, sent | {"reason": "He meant two"}).status_code == 302
    page = signed.get(to).content.decode()
    assert "He meant two" in page
    assert "Version 2" in page
    assert 'class="optional"' not in page


def test_a_list_that_changed_meanwhile_is_shown_first(signed, event, people):
    ada = people[0]
    for list_text in ("1 Eco", "2 Eco"):
        newest = decklists.submit_decklist(entry=ada, text=list_text, by=Actor(entry=ada))
    sent = {"text": "3 Eco", "expected": str(ada.submissions.first().pk)}
    refused = signed.post(url("manage-player-decklist", event, 1), sent)
    assert refused.status_code == 409
    assert "Compare" in refused.content.decode()
    assert Entry.objects.get(pk=ada.pk).submission == newest


def test_check_and_mend_store_nothing(signed, event, people):
    sent = {"text": "3 Eko", "mend": '{"line": 1, "card": "Eko", "becomes": "Eco"}'}
    checked = signed.post(url("manage-player-decklist-check", event, 1), sent)
    assert 'id="verdict"' in checked.content.decode()
    mended = signed.post(url("manage-player-decklist-mend", event, 1), sent)
    assert ">\n3 Eco</textarea>" in mended.content.decode()
    assert not Entry.objects.filter(submission__isnull=False).exists()


def test_a_list_is_opened_and_closed_in_the_time_of_the_event(signed, event, people):
    move_deadline(event, hours=-1)
    to = url("manage-player-decklist-open", event, 1)
    local = timezone.localtime(timezone.now() + timedelta(minutes=30), event.zone)
    sent = {"until": f"{local:%Y-%m-%dT%H:%M}", "reason": "Late train"}
    assert signed.post(to, sent).status_code == 302
    opened = Entry.objects.get(pk=people[0].pk).deck_open_until
    assert opened == local.replace(second=0, microsecond=0)
    assert "Open until:" in signed.get(url("manage-player-decklist", event, 1)).content.decode()
    assert signed.post(url("manage-player-decklist-close", event, 1)).status_code == 302
    assert Entry.objects.get(pk=people[0].pk).deck_open_until is None
    assert signed.post(url("manage-player-decklist-close", event, 1)).status_code == 409


@pytest.mark.parametrize(
    ("until", "reason", "words"),
    [
        ("2027-03-28T02:30", "late", "the clocks change"),
        ("2001-01-01T10:00", "late", "Choose a later time"),
        ("2199-01-01T10:00", "", "required"),
        ("soon", "late", "2026-12-05"),
    ],
)
def test_a_moment_that_can_not_be_is_refused_in_words(signed, event, people, until, reason, words):
    to = url("manage-player-decklist-open", event, 1)
    answer = signed.post(to, {"until": until, "reason": reason})
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert Entry.objects.get(pk=people[0].pk).deck_open_until is None


@pytest.mark.deep
def test_lists_missing_illegal_and_late_at_a_glance(signed, event, people):
    ada, bea, carlo, _dora = people
    shown = signed.get(url("manage-decklists", event)).context["shown"]
    assert [tab.key for tab in shown.tabs] == ["", "missing"], "filters that find nobody"
    decklists.submit_decklist(entry=ada, text=sample_deck(EXO, 1), by=Actor(entry=ada))
    decklists.submit_decklist(entry=bea, text="1 Eco", by=Actor(entry=bea))
    DeckSubmission.objects.update(submitted_at=timezone.now() - timedelta(minutes=10))
    move_deadline(event, minutes=-5)
    until = timezone.now() + timedelta(hours=1)
    deck_locks.unlock_decklist(entry=carlo, until=until, reason="Late train", by=make.staff(event))
    decklists.submit_decklist(entry=carlo, text=sample_deck(EXO, 2), by=Actor(entry=carlo))
    shown = signed.get(url("manage-decklists", event)).context["shown"]
    assert {tab.key: tab.count for tab in shown.tabs} == {
        "": 4,
        "missing": 1,
        "illegal": 1,
        "late": 1,
        "open": 1,
        "legal": 2,
    }
    by = make.staff(event)
    decklists.submit_decklist(entry=ada, text=sample_deck(EXO, 3), reason="A typo", by=by)
    for part, names in (
        ("missing", ["Dora"]),
        ("illegal", ["Bea"]),
        ("late", ["Carlo"]),
        ("open", ["Carlo"]),
        ("nonsense", ["Ada", "Bea", "Carlo", "Dora"]),
    ):
        page = signed.get(url("manage-decklists", event), {"filter": part})
        assert [row.entry.name for row in page.context["shown"].rows] == names


def test_a_message_for_each_player_and_for_all_until_the_lock_and_after(signed, event, people):
    ada = people[0]
    decklists.submit_decklist(entry=ada, text="1 Segretissimo", by=Actor(entry=ada))
    move_deadline(event, hours=3)
    link = "http://testserver" + url("my-deck", event)
    english, *each = texts(
        signed.get(url("manage-decklists", event), {"language": "en"}).content.decode()
    )
    assert "Still missing: Bea, Carlo, Dora." in english
    assert "Not legal yet: Ada." in english
    assert "Europe/Rome" in english
    assert english.endswith(link)
    assert [text.split(",")[0] for text in each] == [
        "Hello Ada",
        "Hello Bea",
        "Hello Carlo",
        "Hello Dora",
    ]
    italian = texts(signed.get(url("manage-decklists", event), {"language": "it"}).content.decode())
    assert italian[0] != english
    assert all(link in text for text in italian)
    assert not any("Segretissimo" in text for text in (english, *each, *italian))
    move_deadline(event, minutes=-1)
    page = signed.get(url("manage-decklists", event)).content.decode()
    assert "Please ask a judge" in texts(page)[0]


@pytest.mark.parametrize("how_many", [3, 30])
def test_the_overview_takes_the_same_number_of_queries(
    signed, event, by, how_many, django_assert_num_queries
):
    for entry in make.players(event, how_many, by)[::2]:
        decklists.submit_decklist(entry=entry, text="1 Eco", by=by)
    with django_assert_num_queries(8):
        signed.get(url("manage-decklists", event))


@pytest.mark.deep
def test_the_start_names_the_lists_it_passes_over(signed, event, people, by):
    start, go = url("manage-start", event), url("manage-start-go", event)
    assert 'name="seen" value="1,2,3,4"' in text(signed.get(start))
    sent = {"seen": "1,2,3,4"}
    assert signed.post(go, sent | {"override": "typed, not ticked"}).status_code == 409
    bare = signed.post(go, sent | {"despite": "on"})
    assert bare.status_code == 400
    assert "Give a reason" in bare.content.decode()
    meant = sent | {"despite": "on", "override": "They promise"}
    assert signed.post(go, meant | {"seen": "1,2,3"}).status_code == 409
    assert signed.post(go, meant | {"seen": "1;2"}).status_code == 400
    assert signed.post(go, meant).status_code == 302
    page = signed.get(url("log", event)).content.decode()
    assert "Ada, Bea, Carlo, Dora" in page
