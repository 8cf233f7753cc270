"""Prospects: who goes on for certain, what each result would mean, and which scores are needed."""

import pytest
from django.test import Client
from django.utils.safestring import SafeString
from django.utils.translation import override

from rules.matches.match_rules import Claim
from rules.scenarios import Margin, MarginMeasure, Verdict
from tests import factories as make
from tests.browsers import ENGLISH, by_link, read, signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.events.services import change_event
from tournaments.models import Event
from tournaments.players.services import departures
from tournaments.prospects import selectors as prospects
from tournaments.prospects.selectors import (
    MarginFormatter,
    final_places_table,
    own_prospect,
    prospect_groups,
)
from tournaments.results.services import results
from tournaments.rounds import services as rounds
from tournaments.standings.selectors.standings import stage_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def last_round(by):
    """Return an event of four after two rounds: one has won twice, one has lost twice."""
    return after(by, 2)


def after(by, how_many, players=4, **values) -> Event:
    settings = {"formula": "single-group", "options": {"final": 3}} | values
    event = make.started(by, players, **settings)
    for _round in range(how_many):
        make.play_round(make.next_round(event, by), by, lower_wins)
    return Event.objects.get(pk=event.pk)


def lower_wins(match, index):
    """Let the lower seat win 40-10."""
    seats = [seat.entry_id for seat in match.group.seats.order_by("number")]
    a_wins = seats.index(match.seats[0]) < seats.index(match.seats[1])
    return Claim(score=(40, 10) if a_wins else (10, 40))


def seated(event, number):
    seats = load_facts(event).stages[0].state.seats["A"]
    return event.entries.get(number=seats[number - 1])


HOLDS = "This assumes that nobody drops and that every match is played."


def page_of(event):
    return f"/events/{event.slug}/prospects/"


def test_a_player_reads_what_each_result_would_mean(by, last_round) -> None:
    # Seats 1 to 4; after 1-2, 3-4, 1-3, 2-4 everybody's last match is 1-4 and 2-3.
    make.next_round(last_round, by)
    words = by_link(seated(last_round, 2), by).get(f"/events/{last_round.slug}/me/")
    shown = words.content.decode()
    assert "What you still need" in shown
    assert "<span>Qualified</span>" in shown
    assert HOLDS in shown
    own = own_prospect(load_facts(last_round, for_staff=False), seated(last_round, 3))
    assert own["after"] == (
        ("Qualified",),
        ("Undecided: Promotion points",),
        ("Out",),
    )
    first = own_prospect(load_facts(last_round, for_staff=False), seated(last_round, 1))
    assert first["opponent"].pk == seated(last_round, 4).pk
    assert first["now"].words in ("Qualified", "Undecided")


@pytest.mark.deep
@override("en")
def test_who_is_sure_reads_no_conditions(by) -> None:
    event = after(by, 3)
    facts = load_facts(event, for_staff=False)
    said = {own_prospect(facts, entry)["now"].words for entry in facts.entries.values()}
    assert said == {"Qualified", "Out"}
    assert own_prospect(facts, seated(event, 1))["after"] == ()
    own = by_link(seated(event, 1), by).get(f"/events/{event.slug}/me/").content.decode()
    assert "Qualified" in own
    assert HOLDS not in own


@pytest.mark.deep
@override("en")
def test_lots_are_named_when_nothing_else_is_left(by) -> None:
    event = make.started(by, 4, formula="single-group", options={"final": 3})
    make.play_stage(event, by, lambda match, index: Claim(score=(20, 20)))
    own = own_prospect(load_facts(Event.objects.get(), for_staff=False), seated(event, 1))
    assert own["depends"] == "Random draw or tiebreaker match"


def test_the_page_has_a_row_for_everybody_and_says_what_holds(by, last_round) -> None:
    page = Client(headers=ENGLISH).get(page_of(last_round))
    (group,) = page.context["groups"]
    assert [row["entry"].pk for row in group["rows"]] == [
        seated(last_round, n).pk for n in (1, 2, 3, 4)
    ]
    assert all(len(row["after"]) == 3 for row in group["rows"])
    assert HOLDS in page.content.decode()


@pytest.mark.deep
@pytest.mark.parametrize("played", [0, 3])
def test_nothing_is_foreseen_before_a_result_or_where_nobody_goes_on(by, played) -> None:
    event = after(by, played, options={"final": 3 if played == 0 else 0})
    page = Client(headers=ENGLISH).get(page_of(event))
    assert page.context["groups"] is None
    words = "No standings yet" if played == 0 else "Places still possible"
    assert words in page.content.decode()
    assert ("Who advances" in text(page)) == (played == 0)
    assert own_prospect(load_facts(event, for_staff=False), seated(event, 1)) is None


LATER = "This appears once fewer matches are left."


@pytest.mark.deep
def test_nothing_is_foreseen_while_there_are_too_many_possibilities(by) -> None:
    event = after(by, 1, players=8)
    page = Client(headers=ENGLISH).get(page_of(event))
    assert [group["rows"] for group in page.context["groups"]] == [()]
    assert LATER in page.content.decode()
    shown = by_link(seated(event, 1), by).get(f"/events/{event.slug}/me/").content.decode()
    assert "What you still need" not in shown
    standings = Client(headers=ENGLISH).get(f"/events/{event.slug}/standings/")
    assert "what is still needed" not in text(standings)
    player = Client(headers=ENGLISH).get(f"/events/{event.slug}/players/1/")
    assert "Who advances" not in text(player)


@pytest.mark.deep
def test_where_the_setting_is_off_only_the_staff_sees_it(by, last_round) -> None:
    event = change_event(event=last_round, changes={"show_prospects": False}, by=by)
    standings = f"/events/{event.slug}/standings/"
    anybody, staff = Client(headers=ENGLISH), signed_in(make.staff(event))
    mine = by_link(seated(event, 2), by)
    for client in (anybody, mine):
        assert client.get(page_of(event)).status_code == 404
        assert page_of(event) not in client.get(standings).content.decode()
        assert client.get(f"/api/v1/events/{event.slug}/scenarios/").status_code == 404
    assert "What you still need" not in mine.get(f"/events/{event.slug}/me/").content.decode()
    assert staff.get(page_of(event)).status_code == 200
    assert page_of(event) in staff.get(standings).content.decode()
    assert staff.get(f"/api/v1/events/{event.slug}/scenarios/").status_code == 200
    change_event(event=event, changes={"show_prospects": True}, by=by)
    assert page_of(event) in anybody.get(standings).content.decode()


def test_a_draft_changes_nothing_that_is_seen(by, last_round) -> None:
    before = Client(headers=ENGLISH).get(page_of(last_round)).context["groups"]
    browser, own = by_link(seated(last_round, 2), by), f"/events/{last_round.slug}/me/"
    seen = browser.get(own).context["me"]
    rounds.draft_round(event=last_round, expected_round=3, publish=False, by=by)
    assert Client(headers=ENGLISH).get(page_of(last_round)).context["groups"] == before
    shown = browser.get(own).context["me"]
    assert (shown.current, shown.state, shown.seat) == (seen.current, seen.state, seen.seat)
    assert [match.title for match in shown.matches] == [match.title for match in seen.matches]


def test_who_leaves_is_not_there_and_the_others_follow(by, last_round) -> None:
    departures.withdraw(entry=seated(last_round, 1), by=by)
    facts = load_facts(last_round, for_staff=False)
    (group,) = prospect_groups(facts)
    assert len(group["rows"]) == 3
    assert own_prospect(facts, seated(last_round, 1)) is None


def test_it_is_worked_out_once_for_the_same_facts(by, last_round, monkeypatch) -> None:
    asked = []
    real = prospects.stage_prospects
    monkeypatch.setattr(
        prospects, "stage_prospects", lambda *given: asked.append(given) or real(*given)
    )
    for _time in range(2):
        prospect_groups(load_facts(last_round, for_staff=False))
        own_prospect(load_facts(last_round, for_staff=False), seated(last_round, 2))
    assert len(asked) == 1
    make.play_round(make.next_round(last_round, by), by, lower_wins)
    prospect_groups(load_facts(last_round, for_staff=False))
    assert len(asked) == 2


@pytest.mark.deep
@pytest.mark.parametrize("players", [4, 12])
def test_the_page_makes_as_many_queries_however_many_play(
    by, players, django_assert_num_queries
) -> None:
    formula = {"formula": "mutant-chronicles", "options": {}}
    event = after(by, 2, players=players, **formula)
    anybody = Client(headers=ENGLISH)
    with django_assert_num_queries(9):
        anybody.get(page_of(event))


def test_both_languages_have_the_words(by, last_round) -> None:
    facts = load_facts(last_round, for_staff=False)
    with override("it"):
        own = own_prospect(facts, seated(last_round, 2))
    assert own["after"][0] == ("Passa",)


@pytest.mark.deep
@override("en")
def test_swiss_rounds_tell_what_points_make_certain(by) -> None:
    event = make.started(by, 9, formula="swiss-cut", options={"rounds": 4, "cut": 2})
    for _round in range(3):
        make.play_round(make.next_round(event, by), by)
    facts = load_facts(event, for_staff=False)
    (group,) = prospect_groups(facts)
    assert group["partly"]
    assert len(group["rows"]) == 9
    marks = {row["now"].words for row in group["rows"]}
    assert "Out" in marks
    shown = Client(headers=ENGLISH).get(page_of(event)).content.decode()
    assert "Tiebreakers are not included yet." in shown
    (last,) = [row["entry"] for row in group["rows"] if row["now"].words == "Out"][-1:]
    own = own_prospect(facts, last)
    assert own["partly"]


def test_a_large_group_says_nothing_before_points_do(by) -> None:
    event = make.started(by, 9, formula="swiss-cut", options={"rounds": 4, "cut": 2})
    make.play_round(make.next_round(event, by), by)
    page = Client(headers=ENGLISH).get(page_of(event)).content.decode()
    assert LATER in page


@pytest.mark.deep
def test_the_bracket_has_a_tab_once_it_is_drawn(by) -> None:
    event = make.started(by, 4, formula="swiss-cut", options={"rounds": 2, "cut": 2})
    make.next_round(event, by)
    tab = f'href="/events/{event.slug}/bracket/"'
    pages = [f"/events/{event.slug}/{name}" for name in ("", "standings/", "pairings/")]
    assert not any(tab in text(Client().get(page)) for page in pages)
    make.play_round(event.rounds.get(), by)
    make.play_round(make.next_round(event, by), by)
    make.draw_lots(event, by)
    make.close_stage(event, by)
    make.next_round(event, by)
    assert all(tab in text(Client().get(page)) for page in pages)
    knockout = make.started(by, 4, formula="single-elimination")
    assert "bracket/" in text(Client().get(f"/events/{knockout.slug}/"))


@pytest.mark.deep
def test_where_nobody_goes_on_the_places_still_possible_are_told(by, in_english) -> None:
    event = after(by, 2, options={"final": 0})
    found = final_places_table(load_facts(event, for_staff=False))
    assert found is not None
    told = {row["entry"].number: row["places"] for row in found.rows}
    order = [seated(event, number).number for number in (1, 2, 3, 4)]
    assert [told[number] for number in order] == ["1st", "2nd–3rd", "2nd–3rd", "4th"]


def test_the_standings_are_certain_of_whom_this_page_is(last_round) -> None:
    facts = load_facts(last_round, for_staff=False)
    (table,) = stage_standings(facts)[-1].tables
    (group,) = prospect_groups(facts) or ()
    tones = {Verdict.THROUGH: "good", Verdict.OUT: "bad", None: "neutral"}
    certain = {row.entry.number: row.certain for row in table.rows}
    assert {number: tones[verdict] for number, verdict in certain.items()} == {
        row["entry"].number: row["now"].tone for row in group["rows"]
    }
    assert certain[seated(last_round, 1).number] is Verdict.THROUGH


NAMES = {1: "Ada", 2: "Bo <b>", 3: "{Carla}"}
PLAIN = MarginFormatter(names=NAMES, score="promotion", fill=str.format, person="{}")
GAMES = MarginFormatter(names=NAMES, score="games", fill=str.format, person="{}")
MARKED = MarginFormatter(names=NAMES, score="promotion")


def margin(measure: MarginMeasure, *, through=None, out=None, of=1, than=None) -> Margin:
    return Margin(measure=measure, of=of, than=than, through=through, out=out)


@override("en")
@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            margin(MarginMeasure.MADE, through=(26, None), out=(None, 24)),
            ("Qualified: Promotion points ≥ 26", "Out: Promotion points ≤ 24"),
        ),
        (
            margin(MarginMeasure.MARGIN, through=(-1, None), out=(None, -3)),
            ("Qualified: Margin ≥ −1", "Out: Margin ≤ −3"),
        ),
        (
            margin(MarginMeasure.MARGIN, through=(None, None)),
            ("Qualified: with any score",),
        ),
        (
            margin(MarginMeasure.LEAD, than=3, through=(3, None), out=(None, -2)),
            ("Qualified: Promotion points ≥ {Carla} + 3", "Out: Promotion points ≤ {Carla} − 2"),
        ),
        (
            margin(MarginMeasure.LEAD, than=3, through=(0, None)),
            ("Qualified: Promotion points ≥ {Carla}",),
        ),
        (
            margin(MarginMeasure.MARGIN_LEAD, than=3, through=(-4, None)),
            ("Qualified: Margin ≥ {Carla} − 4",),
        ),
    ],
)
def test_each_kind_of_margin_has_its_words(found, words) -> None:
    assert PLAIN.notes((found,)) == words


@override("en")
def test_scores_of_rivals_have_their_names() -> None:
    found = margin(MarginMeasure.MADE, of=3, through=(None, 24), out=(26, None))
    assert PLAIN.notes_on_rivals((found,)) == (
        "{Carla}: Qualified: Promotion points ≤ 24",
        "{Carla}: Out: Promotion points ≥ 26",
    )


@override("en")
def test_games_are_counted_where_games_decide() -> None:
    found = margin(MarginMeasure.MADE, through=(1, None))
    assert GAMES.notes((found,)) == ("Qualified: Games won ≥ 1",)


@override("it")
def test_the_same_in_italian() -> None:
    found = margin(MarginMeasure.MARGIN, through=(3, None), out=(None, 1))
    assert PLAIN.notes((found,)) == ("Passa: Scarto ≥ 3", "Fuori: Scarto ≤ 1")


@override("en")
def test_names_are_marked_and_nothing_of_them_is_markup() -> None:
    found = margin(MarginMeasure.LEAD, than=2, through=(3, None))
    (told,) = MARKED.notes((found,))
    assert isinstance(told, SafeString)
    assert "≥ <bdi>Bo &lt;b&gt;</bdi> + 3" in told
    assert MARKED.notes(()) == ()


SCORES = {(1, 2): (20, 20), (3, 4): (40, 10), (1, 3): (10, 40), (2, 4): (20, 10), (2, 3): (5, 35)}


@pytest.fixture
def one_open(by) -> Event:
    """Return a group of four, two of whom go on, whose only open match is that of 1 and 4."""
    event = make.started(by, 4, formula="single-group", options={"final": 3})
    for _round in range(2):
        make.play_round(make.next_round(event, by), by, scored)
    for match in make.next_round(event, by).matches.all():
        if seats_of(match) == (2, 3):
            results.decide_result(match=match, version=match.version, claim=scored(match), by=by)
    return Event.objects.get(pk=event.pk)


def seats_of(match) -> tuple[int, int]:
    seats = {seat.entry_id: seat.number for seat in match.group.seats.all()}
    return seats[match.seats[0]], seats[match.seats[1]]


def scored(match, index: int = 0) -> Claim:
    return Claim(score=SCORES[seats_of(match)])


@override("en")
def test_a_player_reads_what_to_make_and_a_rival_whom_to_watch(by, one_open) -> None:
    facts = load_facts(one_open, for_staff=False)
    # 2 has finished with four points and 45; 1 would have as many, and has made 30.
    own = own_prospect(facts, seated(one_open, 1))
    assert own["after"][0] == ("Qualified: Promotion points ≥ 16", "Out: Promotion points ≤ 14")
    assert own["after"][1:] == (("Out",), ("Out",))
    rival = own_prospect(facts, seated(one_open, 2))
    name = seated(one_open, 1).name
    assert rival["needed"] == (f"<bdi>{name}</bdi>: Qualified: Promotion points ≤ 14",)
    shown = read(by_link(seated(one_open, 2), by), url("me", one_open), "it")
    assert "Punti promozione ≤ 14" in shown


def test_the_page_of_all_and_the_api_tell_it_in_few_words(one_open) -> None:
    client = Client(headers={"accept-language": "en"})
    page = client.get(f"/events/{one_open.slug}/prospects/").content.decode()
    assert "Qualified: Promotion points ≥ 16</small>" in page
    rows = client.get(f"/api/v1/events/{one_open.slug}/scenarios/").json()
    one, two = (seated(one_open, seat).number for seat in (1, 2))
    told = {row["player"]: row["margins"] for row in rows}
    assert told[one] == [
        {
            "after": "win",
            "measure": "made",
            "of": one,
            "than": None,
            "through": {"least": 16, "most": None},
            "out": {"least": None, "most": 14},
            "text": "Qualified: Promotion points ≥ 16; Out: Promotion points ≤ 14",
        }
    ]
    (rival,) = told[two]
    assert (rival["after"], rival["measure"], rival["of"]) == ("now", "made", one)
    assert rival["through"] == {"least": None, "most": 14}


@override("en")
def test_where_games_decide_no_more_are_asked_than_can_be_won(by) -> None:
    event = make.started(by, 4, formula="single-group", options={"final": 3}, format="thoom")
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    (group,) = prospect_groups(load_facts(event, for_staff=False))
    notes = [note for row in group["rows"] for mark in row["after"] for note in mark.notes]
    assert all("≥ 2" not in note for note in notes)
