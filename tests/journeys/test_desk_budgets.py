"""The desk in counted clicks and keys: J4 to J10 and J12 to J14."""

import pytest
from playwright.sync_api import expect

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.journeys.counting import counted
from tests.journeys.steps import catch_up, follow
from tests.level_players import all_drawn
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, Match
from tournaments.results.services import reports
from tournaments.rounds import services as rounds
from tournaments.stages import services as stages

pytestmark = pytest.mark.django_db(transaction=True)
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}


def test_j4_a_round_is_prepared_looked_over_and_published_in_two_clicks(at_desk, by) -> None:
    event = make.started(by, 32, **SWISS)
    page = at_desk(event)
    follow(page.get_by_role("button", name="Prepare round 1"))
    expect(page.get_by_role("button", name="Publish round 1")).to_be_in_viewport(ratio=1)
    follow(page.get_by_role("button", name="Publish round 1"))
    assert counted(page) == 2
    assert event.rounds.get().state == "published"


def test_j5_the_line_says_who_wins_before_enter_and_takes_few_keys(at_desk, by) -> None:
    event = make.playing(by, 32, **SWISS)
    page = at_desk(event)
    match = Match.objects.get(round__event=event, table=12)
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    page.keyboard.type("12")
    expect(page.locator("#quick-names")).to_have_text(f"{match.players[1]} wins: 2–1")
    expect(page.locator(f"#row-{match.pk} .preset.aimed")).to_have_text("1–2")
    page.keyboard.press("Enter")
    expect(page.locator("#quick-status.saved")).to_be_visible()
    expect(page.locator("#quick-table")).to_be_focused()
    assert counted(page, "keydown") <= 8
    match.refresh_from_db()
    assert match.decision.winner == "b"


@pytest.mark.deep
def test_j7_what_is_missing_is_named_and_the_next_round_is_out_in_three_clicks(at_desk, by) -> None:
    event = make.playing(by, 64, **SWISS)
    played = list(event.rounds.get().matches.order_by("table"))
    make.play_round(event.rounds.get(), by, lambda _match, _index: Claim(score=(2, 0)))
    last = Match.objects.select_related("round__event", "group__stage").get(pk=played[20].pk)
    page = at_desk(event, path="desk/")
    follow(page.get_by_role("button", name="Prepare round 2"))
    follow(page.get_by_role("button", name="Publish round 2"))
    assert counted(page) <= 3
    assert last.table == 21
    chips = page.locator(".block.missing a.chip")
    expect(chips).to_have_count(12)
    expect(page.locator(".block.missing")).to_contain_text("and 20 more")
    chips.nth(8).click()
    expect(page.locator(".desk-row[data-table='9']")).to_be_in_viewport(ratio=1)


def test_j8_a_result_of_this_round_is_corrected_in_three_clicks(at_desk, by) -> None:
    event = make.playing(by, 8, **SWISS)
    page = at_desk(event)
    row = page.locator(".desk-row[data-table='2']")
    row.locator(".preset[value='2-0']").click()
    expect(row).to_have_attribute("data-final", "")
    before = counted(page)
    follow(row.get_by_role("link", name="Correct"))
    follow(page.locator("fieldset.side").nth(1).get_by_role("button", name="2–1"))
    page.keyboard.type("Typed the wrong way round")
    follow(page.get_by_role("button", name="Correct the result"))
    assert counted(page) - before <= 3
    assert Match.objects.get(round__event=event, table=2).decision.winner == "b"


@pytest.mark.deep
def test_j9_a_result_of_an_earlier_round_is_corrected_in_four_clicks(at_desk, by) -> None:
    event = make.playing(by, 8, **SWISS)
    make.play_round(event.rounds.get(), by, lambda _match, _index: Claim(score=(2, 0)))
    make.next_round(event, by)
    page = at_desk(event)
    follow(page.get_by_role("link", name="Round 1", exact=True))
    follow(page.get_by_role("link", name="Correct").first)
    follow(page.locator("fieldset.side").nth(1).get_by_role("button", name="2–0"))
    expect(page.get_by_role("heading", name="Correction:")).to_be_visible()
    page.keyboard.type("Typed the wrong way round")
    follow(page.locator("button[name=confirm][value=keep]"))
    assert counted(page) == 4
    assert Match.objects.get(round__ordinal=1, table=1).decision.winner == "b"


def test_j10_the_last_act_is_undone_in_one_click_and_other_desks_see_it(at_desk, by) -> None:
    event = make.playing(by, 8, **SWISS)
    page, other = at_desk(event), at_desk(event)
    row = page.locator(".desk-row[data-table='1']")
    row.locator(".preset[value='2-0']").click()
    expect(other.locator(".desk-row.final[data-table='1']")).to_be_visible()
    acts = page.locator(".last-acts")
    expect(acts).to_contain_text("Round 1 · Table 1")  # it came with the answer
    undo = acts.get_by_role("button", name="Undo")
    before = counted(page)
    follow(undo)
    assert counted(page) - before == 1
    assert Match.objects.get(round__event=event, table=1).decision is None
    expect(other.locator(".desk-row.open[data-table='1']")).to_be_visible()


def test_j12_who_leaves_is_dropped_in_two_clicks_with_undo_beside(at_desk, by) -> None:
    event = make.playing(by, 8, **SWISS)
    make.play_round(event.rounds.get(), by, lambda _match, _index: Claim(score=(2, 0)))
    page = at_desk(event)
    leaves = Match.objects.get(round__event=event, table=3).players[1]
    page.locator(".desk-row").get_by_role("link", name=f"Drop {leaves.name}").click()
    asked = page.locator("#panel").get_by_role("button", name=f"Drop {leaves.name}")
    expect(asked).to_be_visible()
    assert Entry.objects.get(pk=leaves.pk).plays
    asked.click()
    assert counted(page) == 2
    expect(page.locator(".desk-row[data-table='3']")).to_contain_text("no longer plays")
    leaves.refresh_from_db()
    assert leaves.status == Entry.Status.WITHDRAWN
    follow(page.locator(".last-acts").get_by_role("button", name="Undo"))
    leaves.refresh_from_db()
    assert leaves.plays


@pytest.mark.deep
def test_j13_two_different_reports_are_settled_in_two_clicks(at_desk, by, axe) -> None:
    event = make.playing(by, 12)
    match = Match.objects.select_related("round__event", "group__stage").get(table=4)
    for entry, score in ((match.players[0], (40, 22)), (match.players[1], (22, 40))):
        reports.report_result(match=match, claim=Claim(score=score), by=Actor(entry=entry))
    page = at_desk(event)
    expect(page.locator(".desk-row.disputed .decide")).to_have_accessible_name(
        "Decide: 40–22 / 22–40"
    )
    page.locator(".desk-row.disputed .decide").click()
    claims = page.locator("#panel #claims dl > div")
    expect(claims).to_have_count(2)
    axe(page)
    follow(
        claims.filter(has_text=match.players[1].name).last.get_by_role(
            "button", name="Accept this result"
        )
    )
    assert counted(page) == 2
    assert Match.objects.get(pk=match.pk).decision.winner == "b"


@pytest.mark.deep
def test_j14_a_stage_with_one_lot_is_closed_in_three_clicks_and_one(at_desk, by) -> None:
    event = make.started(by, 12)
    make.play_stage(event, by, all_drawn)
    page = at_desk(event)
    follow(page.get_by_role("link", name="Decide between tied players"))
    lots = 0
    while (draw := page.get_by_role("button", name="Make the random draw")).count():
        follow(draw.first)
        lots += 1
    follow(page.get_by_role("link", name="Who advances"))
    follow(page.get_by_role("button", name="Close “Groups” and prepare"))
    assert lots
    assert counted(page) == 3 + lots
    assert event.stages.get(number=1).state == "closed"


@pytest.mark.deep
def test_a_draft_says_what_a_swap_costs_and_two_taps_swap(at_desk, by) -> None:
    event = make.playing(by, 8, **SWISS)
    make.play_round(event.rounds.get(), by, lambda _match, _index: Claim(score=(2, 0)))
    item = rounds.draft_round(event=event, expected_round=2, by=by)
    first, second = item.matches.order_by("table")[:2]
    page = at_desk(event, path="desk/rounds/2/")
    page.locator("label.draft-pick", has_text=first.players[0].name).click()
    costs = page.locator("td.cost small")
    expect(costs.first).to_have_text("chosen")
    expect(costs.nth(1)).to_contain_text("Free swap")
    expect(costs.last).to_contain_text("Point difference")
    follow(page.locator("label.draft-pick", has_text=second.players[0].name))
    assert counted(page) == 2
    pairs = [{m.players[0].name, m.players[1].name} for m in item.matches.all()]
    assert {second.players[0].name, first.players[1].name} in pairs


def test_j15_from_the_last_result_to_the_final_standings_in_one_click(at_desk, by) -> None:
    event = make.started(by, 4, **SWISS | {"options": {"rounds": 1, "cut": 2}})
    make.play_round(make.next_round(event, by), by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    final = make.next_round(event, by).matches.get()
    page = at_desk(event, path="desk/")
    expect(page.get_by_role("link", name="Finish the event")).to_have_count(0)
    for typed in (str(final.table), "20"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    ready = page.locator("#next-step form").get_by_role("button", name="Finish the event")
    expect(ready).to_be_visible()
    expect(page.locator("#next-step")).to_contain_text("What becomes public: Final standings")
    catch_up(page)
    before = counted(page)
    follow(ready)
    assert counted(page) - before == 1
    expect(page.get_by_role("heading", name="Final standings")).to_be_visible()
    expect(page.locator(".steps .place-1")).to_contain_text(final.players[0].name)
    assert Event.objects.get(pk=event.pk).state == Event.State.FINISHED


@pytest.mark.deep
def test_a_late_player_takes_the_bye_of_round_2_in_one_click_and_one_undo(at_desk, by) -> None:
    event = make.halfway(by, 7, **SWISS)
    make.next_round(event, by)
    bye = Match.objects.get(round__ordinal=2, table=None)
    (rests,) = bye.players
    page = at_desk(event)
    follow(page.get_by_role("link", name="Add a late player"))
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.locator("#add")).to_contain_text(f"{rests.name} loses the bye (points: 3).")
    page.keyboard.type("Zita")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert counted(page) == 1
    zita = event.entries.get(name="Zita")
    assert Match.objects.get(pk=bye.pk).players == (rests, zita)
    page.goto(f"/events/{event.slug}/desk/")
    expect(page.locator(".desk-row[data-table='4']")).to_contain_text("Zita")
    follow(page.locator(".last-acts").get_by_role("button", name="Undo"))
    assert counted(page) == 2
    assert not event.entries.filter(name="Zita").exists()
    assert Match.objects.get(pk=bye.pk).decision.ended_by == "bye"
