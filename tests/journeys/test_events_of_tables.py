"""Two events at tables of four and three, from registration to what is printed at the end."""

from functools import cache

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.at_tables import (
    SeatDesk,
    agrees,
    best_of,
    correct,
    denies,
    draw_and_start,
    enters_late,
    finish,
    leaves,
    ranked,
    registers,
    says_another_won,
    says_drawn,
    says_who_won,
    settle_ties,
    sheet,
    transcript_agrees,
)
from tests.journeys.browser import PHONE
from tests.journeys.steps import follow, new_event, paste_players, personal_link, sign_up
from tournaments.core.permissions import Actor
from tournaments.decklists.services import submit_decklist
from tournaments.models import Event, Match
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
GIVEN = ["Ada", "Bea", "Carlo", "Dora", "Elio", "Fosca", "Gino", "Ines"]
SURNAMES = ["Amato", "Bassi", "Conti", "Ferri", "Galli", "Longo", "Monti", "Riva"]
NAMES = [f"{given} {surname}" for surname in SURNAMES for given in GIVEN]
LATE = "Zoe Zanella"
COMMANDER = "Commander\n1 Krenko, Mob Boss\n\nMain deck\n99 Mountain\n"


@pytest.fixture
def organiser(live_server, open_page):
    """Return the organiser's window, signed in."""
    page = open_page()
    sign_up(page, "Marta", "marta@example.org")
    return page


@pytest.fixture
def phone_of(open_page, organiser):
    """Return a function that gives a player's one phone, opened by their personal link."""

    @cache
    def open_phone(slug: str, name: str):
        number = Event.objects.get(slug=slug).entries.get(name=name).number
        phone = open_page(PHONE)
        phone.goto(personal_link(organiser, slug, number))
        return phone

    return open_phone


def begun(organiser, open_page, game: str, name: str, players: int) -> SeatDesk:
    """Make an event of a game and a format, let people register, and start it."""
    game, _space, format_name = game.partition(" ")
    slug = new_event(organiser, game, name, format_name=format_name)
    follow(organiser.get_by_role("button", name="Open registration"))
    paste_players(organiser, slug, NAMES[1:players])
    registers(open_page(PHONE), slug, NAMES[0])
    event = Event.objects.get(slug=slug)
    hand_in_for_all(event)
    draw_and_start(organiser, slug)
    return SeatDesk(organiser, slug)


@pytest.fixture(autouse=True)
def _half_typed_results(watch):
    """What the line asks of a result typed by half is answered 400, with what is possible."""
    watch.allow += ["status of 400"]


def hand_in_for_all(event: Event) -> None:
    """Hand in a legal list for everybody."""
    by = Actor(user=event.created_by)
    if event.format == "thoom":
        make.with_decks(event, by)
        return
    for entry in event.entries.all():
        submit_decklist(entry=entry, text=COMMANDER, by=by)
        assert entry.submissions.get().decklist.legal


def test_thoom_for_26_with_a_cut_to_four(organiser, open_page, phone_of, axe):
    desk = begun(organiser, open_page, "Thoom", "Thoom d’autunno", 26)
    page, slug, winner = organiser, desk.slug, best_of(NAMES)
    desk.prepare()
    expect(page.locator("#verdict")).to_contain_text("Rematches: 0")
    axe(page)
    swap_by_keyboard(desk)
    desk.publish()
    tables = desk.tables()
    assert sorted(len(table.names) for table in tables) == [3, 3, 4, 4, 4, 4, 4]
    axe(page)

    by_phone, disputed, drawn, wrong, *_others = [one for one in tables if len(one.names) == 4]
    phones = {
        table: [phone_of(slug, name) for name in table.names] for table in (by_phone, disputed)
    }
    says_who_won(phones[by_phone][0], slug, 3)
    agrees(phones[by_phone][1], slug)
    agrees(phones[by_phone][2], slug)
    says_who_won(phones[disputed][0], slug, 1)
    denies(phones[disputed][1], slug)
    agrees(phones[disputed][2], slug)
    agrees(phones[disputed][3], slug)
    desk.open()
    desk.final(by_phone)
    expect(page.locator(f"#row-{disputed.match}")).to_contain_text("Disputed")
    agrees(phones[disputed][1], slug)  # three say the same: the fourth gives in
    desk.final(disputed)
    page.locator("#quick-table").focus()
    desk.type_seats(drawn, "=13", f"A draw: {drawn.names[0]} – {drawn.names[2]}")
    desk.final(drawn)
    desk.tap_winner(wrong, wrong.names[3])  # the first won
    desk.play_rest(winner)
    assert Match.objects.get(pk=drawn.match).decision.ended_by == "time"

    gone = by_phone.names[3]
    leaves(phones[by_phone][3], slug)
    enters_late(page, slug, LATE)
    order = [*NAMES, LATE]
    desk.open()
    desk.next_round()
    seated = {name for table in desk.tables() for name in table.names}
    assert (len(seated), gone in seated, LATE in seated) == (26, False, True)
    correct(page, slug, wrong.match, "1")
    desk.open()
    desk.play_rest(best_of(order))
    desk.next_round()
    desk.play_rest(best_of(order))

    settle_ties(desk)
    (first_table,) = desk.close_stage().values()
    assert len(first_table) == 4
    desk.publish()
    (final,) = desk.tables()
    best = winner(final)
    phones_of_final = [phone_of(slug, name) for name in final.names]
    says_who_won(phones_of_final[0], slug, final.names.index(best) + 1)
    for phone in phones_of_final[1:3]:
        agrees(phone, slug)
    desk.open()
    desk.final(final)
    finish(page)
    over(desk, best)
    assert gone in ranked(page, slug)


def swap_by_keyboard(desk: SeatDesk) -> None:
    """Exchange two players of the draft by the line, which says first what it costs."""
    page = desk.page
    rows = page.locator("tbody.of-tables tr")
    one = rows.nth(0).locator("bdi.person").nth(1).inner_text()
    other = rows.nth(1).locator("bdi.person").nth(0).inner_text()
    page.locator("#draft-line").focus()
    page.keyboard.type("1.2 2.1")
    expect(page.locator("#draft-line-said")).to_have_text(f"Swap {one} and {other}: Free swap")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(rows.nth(0).locator("bdi.person").nth(1)).to_have_text(other)


def over(desk: SeatDesk, champion: str) -> None:
    """Hold ranking, sheets, record and transcript of a finished event against each other."""
    page, slug = desk.page, desk.slug
    names = ranked(page, slug)
    assert names[0] == champion
    event = Event.objects.get(slug=slug)
    assert sorted(names) == sorted(event.entries.values_list("name", flat=True))
    printed = sheet(page, slug, "standings")
    assert all(name.split()[1] in printed for name in names)
    assert list(verify_event(event)) == []
    transcript_agrees(page, slug)


def test_commander_for_64_with_a_cut_to_ten(organiser, open_page, phone_of, axe):
    desk = begun(organiser, open_page, "Magic Commander", "Lega Commander", 64)
    page, slug = organiser, desk.slug
    assert "Riva Ines 16" in sheet(page, slug, "seats")
    desk.next_round()
    tables = desk.tables()
    assert [len(table.names) for table in tables] == [4] * 16
    pairings = sheet(page, slug, "pairings")
    assert all(surname in pairings for surname in SURNAMES)
    assert sheet(page, slug, "slips").count("Drawn between") == 16
    assert sheet(page, slug, "slips", "it").count("Pareggio fra") == 16

    by_phone, judged, drawn, wrong = tables[:4]
    phones = [phone_of(slug, name) for name in by_phone.names]
    says_drawn(phones[1], slug, [4])
    agrees(phones[0], slug)
    agrees(phones[3], slug)
    ours = [phone_of(slug, name) for name in judged.names]
    says_who_won(ours[0], slug, 1)
    agrees(ours[2], slug)
    says_another_won(ours[3], slug, 4)
    desk.open()
    desk.final(by_phone)
    assert Match.objects.get(pk=by_phone.match).decision.places == [1, 1, 1, 4]
    claims = page.locator(f"#row-{judged.match} .versions-of button")
    expect(claims).to_have_text(["1", "4"])
    follow(claims.first)  # two of the three who spoke say so
    desk.final(judged)
    page.locator("#quick-table").focus()
    desk.type_seats(drawn, "=", "A draw")
    desk.final(drawn)
    desk.type_winner(wrong, wrong.names[2])
    desk.final(wrong)
    desk.play_rest(best_of(NAMES))

    leaves(phones[2], slug)
    enters_late(page, slug, LATE)
    order = [*NAMES, LATE]
    for turn in range(3):
        desk.open()
        desk.next_round()
        if turn == 0:
            correct(page, slug, wrong.match, "2")
            desk.open()
        desk.play_rest(best_of(order))
    axe(page)
    settle_ties(desk)
    (cut,) = desk.close_stage().values()
    assert len(cut) == 10
    desk.publish()
    assert [len(table.names) for table in desk.tables()] == [4, 4]
    desk.play_rest(best_of(cut))
    desk.next_round()
    (final,) = desk.tables()
    desk.play_rest(best_of(cut))
    finish(page)
    over(desk, min(final.names, key=cut.index))
