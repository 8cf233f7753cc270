"""A draft put in order on a phone before it is published; a round thrown away and brought back."""

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.steps import follow
from tournaments.models import Match

pytestmark = pytest.mark.django_db(transaction=True)

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}


@pytest.fixture
def event(by):
    event = make.started(by, 9, **SWISS)
    make.play_round(make.next_round(event, by), by)
    return event


@pytest.fixture
def staff_page(open_as, by):
    """Return a function that opens a page of the organiser's."""
    return lambda kind: open_as(by.user, settings=kind)


def meetings(event, ordinal):
    found = Match.objects.filter(round__event=event, round__ordinal=ordinal, match_seats__number=2)
    return {frozenset((m.players[0].name, m.players[1].name)) for m in found}


def tick(page, *names):
    for name in names:
        page.locator("label.draft-pick", has_text=name).first.click()


def test_a_draft_is_changed_on_a_phone_and_published(event, by, staff_page, axe) -> None:
    phone = staff_page(PHONE)
    phone.goto(f"/events/{event.slug}/desk/")
    follow(phone.get_by_role("button", name="Prepara il turno 2"))
    expect(phone.get_by_text("Nessun problema.")).to_be_visible()
    axe(phone)
    (a, b), (c, d) = (sorted(pair) for pair in sorted(meetings(event, 2), key=sorted)[:2])

    phone.locator(".draft-bar summary").click()  # names are collected for its buttons
    tick(phone, a, c)
    phone.locator("#draft-note").fill("Fratelli")
    follow(phone.get_by_role("button", name="Scambia due giocatori"))
    expect(phone.get_by_text("Salvato.")).to_be_visible()
    said = phone.get_by_text("Abbinati manualmente dall’organizzatore: Fratelli")
    expect(said).to_have_count(2)
    assert {frozenset((a, d)), frozenset((b, c))} <= meetings(event, 2)

    phone.locator("tr", has_text=a).locator("input[name=match]").check()
    phone.locator(".draft-bar summary").click()
    follow(phone.get_by_role("button", name="Sciogli"))
    expect(phone.get_by_role("group", name="Senza abbinamento")).to_contain_text(a)
    expect(phone.get_by_role("button", name="Pubblica il turno 2")).to_be_disabled()
    axe(phone)
    width = phone.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["viewport"]["width"]

    phone.locator(".draft-bar summary").click()
    tick(phone, a, d)
    follow(phone.get_by_role("button", name="Abbina di nuovo questi"))
    assert frozenset((a, d)) in meetings(event, 2)
    follow(phone.get_by_role("button", name="Pubblica il turno 2"))
    assert event.rounds.get(ordinal=2).state == "published"


@pytest.mark.deep
def test_a_round_is_thrown_away_by_typing_its_name_and_put_back(event, by, staff_page, axe) -> None:
    desk = staff_page(DESK)
    desk.goto(f"/events/{event.slug}/desk/rounds/1/")
    desk.get_by_text("Start this round over").click()
    follow(desk.get_by_role("link", name="Preview"))
    axe(desk)
    desk.get_by_label("Type “Round 1”").fill("Round 1")
    follow(desk.get_by_role("button", name="Discard round"))
    expect(desk.get_by_text("Round discarded. You can undo this in the log.")).to_be_visible()
    assert not event.rounds.exists()

    desk.goto(f"/events/{event.slug}/manage/files/")
    axe(desk)
    follow(desk.get_by_role("link", name="Restore snapshot").first)
    axe(desk)
    follow(desk.get_by_role("button", name="Restore snapshot"))
    expect(desk.locator("#messages")).to_contain_text("Snapshot restored")
    assert event.rounds.get().matches.filter(state="final").count() == 5
