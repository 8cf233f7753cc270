"""A Doomtrooper event for 16 by the Mutant Chronicles formula, from sign-up to the workbook."""

from functools import cache

import pytest
from playwright.sync_api import expect

from decks.decklists.samples import sample_deck
from tests.database_files import ask
from tests.journeys import by_service
from tests.journeys.browser import PHONE, UNPLUGGED
from tests.journeys.by_service import by_strength
from tests.journeys.steps import (
    Desk,
    confirm,
    follow,
    hand_in,
    in_a_circle,
    new_event,
    paste_deck,
    paste_players,
    personal_link,
    report,
    report_games,
    sign_up,
)
from tests.journeys.workbooks import download, ranking_agrees, results_agree, standings_agree

NAMES = (
    *("Ada", "Bea", "Carlo", "Dora", "Elio", "Fosca", "Gino", "Hugo"),
    *("Ines", "Jole", "Karl", "Lia", "Mara", "Nino", "Olga", "Pino"),
)
FORMAT = "doomtrooper-original"


@pytest.fixture
def organiser(server_process, open_page):
    """Return the organiser's window, signed in."""
    page = open_page(base_url=server_process.url)
    sign_up(page, "Marta", "marta@example.org")
    return page


@pytest.fixture
def phone_of(server_process, open_page, organiser):
    """Return a function that gives a player's one phone, opened by their personal link.

    A second link would end the first one, and the page that is open there.
    """

    @cache
    def open_phone(slug: str, name: str):
        link = personal_link(organiser, slug, NAMES.index(name) + 1)
        phone = open_page(PHONE, base_url=server_process.url)
        phone.goto(link)
        expect(phone.get_by_role("heading", level=1)).to_contain_text(name)
        return phone

    return open_phone


@pytest.fixture
def judge(server_process, open_page, organiser):
    """Return the window of somebody with an account, who is to be judge."""
    page = open_page(base_url=server_process.url)
    sign_up(page, "Livio", "livio@example.org")
    return page


@pytest.mark.deep
def test_a_doomtrooper_event_from_sign_up_to_workbook(
    organiser, judge, phone_of, server_process, watch, axe
):
    slug = new_event(organiser, "Doomtrooper", "Trofeo di maggio")
    follow(organiser.get_by_role("button", name="Open registration"))
    paste_players(organiser, slug, NAMES)
    _invite_the_judge(organiser, judge, slug, axe)
    _hand_in_lists(organiser, slug, phone_of, server_process, axe)
    desk = _start(organiser, slug, axe)

    desk.next_round()
    desk.play(by_strength(sorted(NAMES)))
    groups = desk.close_stage()
    assert [len(names) for names in groups.values()] == [4, 4, 4]
    first, second, third = groups.values()
    scores = _scores(first, second, third)
    _round_with_phones_and_a_pulled_plug(desk, judge, phone_of, server_process, watch, scores)
    _round_with_a_withdrawal_and_a_correction(desk, watch, scores, third, axe)
    _round_published_twice(desk, server_process, watch, scores)
    _lots(desk, first, second)

    desk.close_stage()
    for rounds, top in ((3, 40), (3, 41), (3, 42)):  # by hand so far, and again in the final
        _stage_by_service(desk, server_process, top, rounds)
        desk.close_stage()
    champion = _final(desk, phone_of)
    _finish(desk, champion, server_process)


def _invite_the_judge(organiser, judge, slug, axe):
    organiser.goto(f"/events/{slug}/manage/staff/")
    organiser.get_by_label("Email address").fill("livio@example.org")
    organiser.get_by_label("Role", exact=True).select_option("judge")
    follow(organiser.get_by_role("button", name="Invite", exact=True))
    judge.goto(organiser.get_by_label("Link", exact=True).input_value())
    axe(judge)
    follow(judge.get_by_role("button", name="Accept"))
    organiser.goto(f"/events/{slug}/manage/staff/")
    expect(organiser.get_by_role("table", name="Staff")).to_contain_text("Livio")


def _hand_in_lists(organiser, slug, phone_of, server, axe):
    phone = phone_of(slug, "Ada")
    axe(organiser)  # the page that shows the link
    good = sample_deck(FORMAT, 1)
    paste_deck(phone, slug, good.replace("5 ", "6 ", 1) + "\n???\n")
    line = good.splitlines().index(next(x for x in good.splitlines() if x.startswith("5 "))) + 1
    wrong = phone.locator("#editor .violation")
    for number in (line, len(good.splitlines()) + 2):
        expect(wrong.get_by_role("link", name=f"riga {number}").first).to_be_visible()
    assert "???" in phone.locator("textarea[name=text]").input_value()
    axe(phone)
    paste_deck(phone, slug, good)
    expect(phone.locator("#editor .violation")).to_have_count(0)
    expect(phone.locator("#receipt.good")).to_be_visible()
    paste_deck(phone_of(slug, "Bea"), slug, sample_deck(FORMAT, 2))
    hand_in(organiser, slug, 3, sample_deck(FORMAT, 3))
    others = list(range(4, len(NAMES) + 1))
    assert by_service.run(server.database, "hand_in", slug, others) == len(others)


def _start(organiser, slug, axe):
    organiser.goto(f"/events/{slug}/manage/start/")
    expect(organiser.locator("#lists")).to_have_count(0)
    axe(organiser)
    follow(organiser.get_by_role("button", name="Pair round 1"))
    desk = Desk(organiser, slug)
    drafted = organiser.locator("main table tbody").inner_text()
    assert sum(name in drafted for name in NAMES) == 8  # four matches make 16 players 12
    follow(organiser.get_by_role("button", name="Discard round"))
    return desk


def _scores(first, second, third):
    """Leave three level in groups A and B, at different scores; C goes by strength."""
    one, two = in_a_circle(first), in_a_circle(second, 41)
    three = by_strength(third)

    def score(a, b):
        return one(a, b) if a in first else two(a, b) if a in second else three(a, b)

    return score


def _stage_by_service(desk, server, top, rounds):
    entered = by_service.run(server.database, "play_stage", desk.slug, NAMES, top)
    for ordinal, table, a, b, score in entered:
        desk.entered[ordinal, table] = (a, b, tuple(score))
    assert len({ordinal for ordinal, *_match in entered}) == rounds
    desk.open()


def _round_with_phones_and_a_pulled_plug(desk, judge, phone_of, server, watch, scores):
    desk.next_round()
    tables = desk.waiting()
    assert len(tables) == 6
    agreed, disputed, lost = tables[3:]
    for table in tables[:2]:
        desk.type_result(table, scores(table.a, table.b))
    desk.click_result(tables[2], scores(tables[2].a, tables[2].b))
    for table in tables[:3]:
        desk.is_in(table)

    one, other = phone_of(desk.slug, agreed.a), phone_of(desk.slug, agreed.b)
    own, theirs = scores(agreed.a, agreed.b)
    report(one, desk.slug, own, theirs)
    confirm(other, desk.slug)

    own, theirs = scores(disputed.a, disputed.b)
    report(phone_of(desk.slug, disputed.a), desk.slug, own, theirs)
    report(phone_of(desk.slug, disputed.b), desk.slug, theirs + 1, own)
    judge.goto(f"/events/{desk.slug}/desk/")
    judge.get_by_role("link", name="Decide").click()
    claim = judge.locator("#panel #claims dl > div").filter(has_text=disputed.a).first
    claim.get_by_role("button", name="Accept this result").click()
    expect(judge.locator(f"#row-{disputed.match}")).to_have_attribute("data-final", "")

    desk.open()
    for table in tables[:5]:
        desk.note(table, scores(table.a, table.b))
        desk.is_in(table)
    watch.allow += UNPLUGGED
    server.kill()
    desk.type_result(lost, scores(lost.a, lost.b))
    expect(desk.page.locator("#quick-status")).to_contain_text("Not saved: no connection")
    server.start()
    desk.is_in(lost)  # the desk itself sends it again
    desk.open()
    for table in tables:
        a, b = scores(table.a, table.b)
        expect(desk.page.locator(f"#row-{table.match}")).to_contain_text(f"{a}–{b}")


def _round_with_a_withdrawal_and_a_correction(desk, watch, scores, third, axe):
    desk.next_round()
    page = desk.page
    leaves = next(t for t in desk.waiting() if third[3] in (t.a, t.b))
    stays = leaves.b if leaves.a == third[3] else leaves.a
    page.goto(f"/events/{desk.slug}/matches/{leaves.match}/")
    page.locator("summary").filter(has_text=third[3]).click()
    who = page.locator("details[open]")
    who.get_by_label("Reason").fill("Had to catch a train")
    who.get_by_role("button", name="Drop now").click()
    expect(page.locator("#messages")).to_contain_text(third[3])
    desk.open()
    expect(page.locator(f"#row-{leaves.match}")).to_contain_text(stays)

    wrong = next(t for t in desk.waiting() if t.a in third)
    right = scores(wrong.a, wrong.b)
    desk.play(lambda a, b: scores(a, b)[::-1] if (a, b) == (wrong.a, wrong.b) else scores(a, b))
    follow(page.locator(f"#row-{wrong.match}").get_by_role("link", name="Correct"))
    page.get_by_label(wrong.a).first.fill(str(right[0]))
    page.get_by_label(wrong.b).first.fill(str(right[1]))
    page.get_by_role("button", name="Preview").click()
    moved = page.locator(".ranks table").first
    expect(moved).to_contain_text(wrong.a)
    axe(page)
    page.get_by_label("Reason").fill("Typed the wrong way round")
    page.get_by_role("button", name="Correct the result").click()
    expect(page.locator(f"#row-{wrong.match}")).to_contain_text(f"{right[0]}–{right[1]}")
    desk.note(wrong, right)


def _round_published_twice(desk, server, watch, scores):
    watch.allow += ["status of 409"]
    desk.prepare()
    ordinal = int(desk.page.url.split("/")[-2])
    second = desk.page.context.new_page()
    watch.follow(second)
    second.goto(desk.page.url)
    desk.publish()
    second.get_by_role("button", name=f"Publish round {ordinal}").click()
    expect(second.locator("#messages .bad")).to_contain_text("no longer possible")
    published = "SELECT count(*) FROM tournaments_logline WHERE action = 'round.published'"
    assert ask(server.database, f"{published} AND subject = '{ordinal}'") == [(1,)]
    second.close()
    desk.play(scores)


def _lots(desk, first, second):
    page = desk.page
    follow(page.locator("#next").get_by_role("link", name="Decide between tied players"))
    by_tool = page.locator("section[id^=tied]").filter(has_text=first[0])
    follow(by_tool.get_by_role("button", name="Make the random draw"))
    by_hand = page.locator("section[id^=tied]").filter(has_text=second[0])
    by_hand.locator("summary").click()
    drawn = [second[1], second[2], second[0]]
    for place, name in enumerate(drawn, start=1):
        by_hand.get_by_label(name, exact=True).fill(str(place))
    by_hand.get_by_label("Witnesses").fill("Livio, Ada")
    by_hand.get_by_role("button", name="Record this order").click()
    made = page.get_by_role("table", name="Random draws")
    expect(made).to_contain_text("Livio, Ada")
    page.goto(f"/events/{desk.slug}/standings/")
    names = page.locator("table#s2-g2 tbody bdi.person").all_inner_texts()
    assert names[:3] == drawn
    page.goto(f"/events/{desk.slug}/record/")
    expect(page.locator("main")).to_contain_text("Livio, Ada")
    desk.open()


def _final(desk, phone_of):
    """Play the final at two phones, game by game: a drawn one was played again."""
    desk.next_round()
    (table,) = desk.waiting()
    desk.note(table, (2, 1))
    report_games(phone_of(desk.slug, table.a), desk.slug, "own", "draw", "other", "own")
    confirm(phone_of(desk.slug, table.b), desk.slug)
    desk.open()
    desk.is_in(table)
    return table.a


def _finish(desk, champion, server):
    desk.page.get_by_role("button", name="Finish the event").click()
    expect(desk.page.get_by_text("The event is finished").first).to_be_visible()
    sheets = download(desk.page, desk.slug)
    names = ranking_agrees(desk.page, desk.slug, sheets)
    assert names[0] == champion
    assert sorted(names) == sorted(NAMES)
    assert standings_agree(desk.page, desk.slug, sheets) == 7
    results_agree(desk.page, desk, sheets)
    assert {row["decklist"] for row in sheets["players"]} == {"legal"}
    server.manage("verify", desk.slug)
