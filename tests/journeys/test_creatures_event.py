"""An event of Creatures of Exo for 10: groups by seed positions, then the knock-out."""

import pytest
from playwright.sync_api import expect

from decks.decklists.samples import sample_deck
from tests.journeys import unseen
from tests.journeys.by_service import by_strength
from tests.journeys.steps import (
    Desk,
    follow,
    hand_in,
    new_event,
    paste_players,
    sign_up,
)
from tests.journeys.workbooks import download, ranking_agrees, results_agree, standings_agree
from tournaments.models import Event
from tournaments.verification.event import verify_event

NAMES = ("Alba", "Bruno", "Cesare", "Diana", "Enea", "Flora", "Guido", "Irene", "Lapo", "Mirta")
# The snake deals the seeds 1 2 3 / 6 5 4 / 7 8 9 / and, on its way back, 10.
GROUPS = (("Alba", "Flora", "Guido"), ("Bruno", "Enea", "Irene"))
GROUPS += (("Cesare", "Diana", "Lapo", "Mirta"),)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def organiser(live_server, open_page):
    """Return the organiser's window, signed in."""
    page = open_page()
    sign_up(page, "Marta", "marta@example.org")
    return page


@pytest.mark.deep  # as the event of Doomtrooper, in another game
def test_a_creatures_event_from_sign_up_to_workbook(organiser, watch, axe):
    watch.allow += ["status of 409"]
    slug = new_event(organiser, "Creatures of Exo", "Notte delle creature")
    follow(organiser.get_by_role("button", name="Open registration"))
    paste_players(organiser, slug, NAMES)
    _seed(organiser, slug)
    _hand_in_lists(organiser, slug)
    desk = _start(organiser, slug, axe)

    desk.next_round()
    desk.play(_games, mouse=True)
    unseen.play_stage(desk, _games, 2)
    _eight_go_on(desk)
    _knock_out(desk, axe)
    _finish(desk)


def _games(a, b):
    """Return a result by which the better seed wins: 2-0, or 2-1 in a close match.

    The winners of groups A and B differ by the game that Enea wins, so that nobody is level.
    """
    own, _theirs = by_strength(NAMES)(a, b)
    close = abs(NAMES.index(a) - NAMES.index(b)) < 3 or {a, b} == {"Bruno", "Enea"}
    lost = 1 if close else 0
    return (2, lost) if own == 40 else (lost, 2)


def _seed(organiser, slug):
    organiser.goto(f"/events/{slug}/manage/players/")
    organiser.get_by_role("link", name="Edit seed positions").click()
    for seed, name in enumerate(NAMES, start=1):
        organiser.get_by_label(f"Seed position: {name}").fill(str(seed))
    organiser.get_by_role("button", name="Save").click()
    expect(organiser.locator("#messages")).to_contain_text("Saved.")


def _hand_in_lists(organiser, slug):
    """Hand the lists in; Bruno's has a third copy of a card, in the side."""
    for number in range(1, len(NAMES) + 1):
        text = sample_deck("creatures-of-exo", number)
        handed_in = hand_in if number == 2 else unseen.hand_in
        handed_in(organiser, slug, number, _with_a_third_copy(text) if number == 2 else text)


def _with_a_third_copy(text):
    lines = text.splitlines()
    twice = next(line[2:] for line in lines if line.startswith("2 "))
    if "Side" not in lines:
        lines += ["", "Side"]
    lines.insert(lines.index("Side") + 1, f"1 {twice}")
    return "\n".join(lines) + "\n"


def _start(organiser, slug, axe):
    organiser.goto(f"/events/{slug}/manage/start/")
    expect(organiser.locator("#lists")).to_contain_text("Bruno")
    axe(organiser)
    organiser.get_by_role("button", name="Draw the groups").click()
    expect(organiser.get_by_role("alert")).to_contain_text("Missing or illegal decklists: Bruno")
    hand_in(organiser, slug, 2, sample_deck("creatures-of-exo", 2))
    organiser.goto(f"/events/{slug}/manage/start/")
    expect(organiser.locator("#lists")).to_have_count(0)
    follow(organiser.get_by_role("button", name="Draw the groups"))
    expect(organiser.get_by_role("button", name="Publish round 1")).to_be_visible()
    axe(organiser)
    draft = organiser.url
    organiser.goto(f"/events/{slug}/standings/")
    seated = organiser.locator("main table:has(bdi.person)").evaluate_all(
        "tables => tables.map(table => [...table.querySelectorAll('tbody bdi.person')]"
        ".map(name => name.textContent).sort())"
    )
    assert set(map(tuple, seated)) == {tuple(sorted(group)) for group in GROUPS}
    organiser.goto(draft)
    return Desk(organiser, slug)


def _eight_go_on(desk):
    """Close the groups: two of each group and the two best thirds."""
    (names,) = desk.close_stage().values()
    assert len(names) == 8
    assert {"Alba", "Bruno", "Cesare"} <= set(names)


def _knock_out(desk, axe):
    desk.next_round()
    quarters = desk.waiting()
    assert len(quarters) == 4
    wrong = quarters[-1]
    right = _games(wrong.a, wrong.b)
    desk.play(
        lambda a, b: _games(a, b)[::-1] if (a, b) == (wrong.a, wrong.b) else _games(a, b),
        mouse=True,
    )
    desk.next_round()
    _correct_a_quarter_final(desk, wrong, right, axe)
    desk.next_round()
    assert len(desk.waiting()) == 2
    desk.play(_games, mouse=True)
    desk.next_round()
    assert len(desk.waiting()) == 1  # the final: nobody plays for third place
    desk.play(_games, mouse=True)


def _correct_a_quarter_final(desk, wrong, right, axe):
    """Correct a result from which the semi-finals were made already: they are made anew."""
    page, played = desk.page, desk.round - 1
    page.goto(f"/events/{desk.slug}/matches/{wrong.match}/")
    follow(page.get_by_role("link", name="Correct the result"))
    side = page.locator("fieldset.side").nth(0 if right[0] > right[1] else 1)
    follow(side.get_by_role("button", name=f"{max(right)}–{min(right)}"))
    expect(page.locator(".ways")).to_contain_text(f"Rounds: {played + 1}")
    axe(page)
    page.get_by_role("button", name="Discard the rounds").click()
    expect(page.get_by_role("button", name="Prepare “Semi-finals”")).to_be_visible()
    desk.entered[played, wrong.number] = (wrong.a, wrong.b, right)


def _finish(desk):
    desk.page.get_by_role("button", name="Finish the event").click()
    expect(desk.page.get_by_text("The event is finished").first).to_be_visible()
    sheets = download(desk.page, desk.slug)
    names = ranking_agrees(desk.page, desk.slug, sheets)
    # Diana comes from the group of Cesare, in whose half she can't play: she meets Bruno early.
    assert names[:2] == ["Alba", "Cesare"]
    assert {*names[2:4]} == {"Bruno", "Enea"}
    assert standings_agree(desk.page, desk.slug, sheets) == 3
    results_agree(desk.page, desk, sheets)
    copies = [row["count"] for row in sheets["decklists"] if row["name"] == "Bruno"]
    assert max(copies) <= 2
    event = Event.objects.get(slug=desk.slug)
    assert event.state == Event.State.FINISHED
    assert list(verify_event(event)) == []
