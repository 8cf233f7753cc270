"""The pages of series that everybody reads: list, table, events, a person."""

import re
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from rules.series.outlook import max_points_and_wins
from tests import factories as make
from tests.browsers import ENGLISH, read, signed_in, text
from tests.reporting import correct
from tests.tournaments.series.evenings import group_evening, season
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import event_points, event_table_points
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event_state
from tournaments.models import Event, Match, Series, SeriesStaff
from tournaments.series.closing import close_series
from tournaments.series.final_rows import compute_final_rows
from tournaments.series.services import create_series
from tournaments.series.shown_table import planned_stages

pytestmark = pytest.mark.django_db
ROW = re.compile(r'<tbody id="player-(\d+)" class="([^"]*)".*?</tbody>', re.DOTALL)


def rows(client: Client, at: str) -> list[tuple[str, str]]:
    """Return (name, what stands in the row without its cells) of each row of a table."""
    found = []
    for row in ROW.finditer(read(client, at)):
        name = re.search(r'data-called="([^"]*)"', row[0])
        found.append((name[1], row[0]))
    return found


@pytest.fixture
def league(by: Actor) -> Series:
    """Return a league of three evenings, of which the best two count; Elio plays once."""
    names = ("Ada Bea Carlo Dora", "Ada Bea Carlo Elio", "Carlo Bea Ada Dora")
    evenings = [group_evening(by, one, name=f"Sera {at}") for at, one in enumerate(names, start=1)]
    points = {"by_place": [10, 8, 6, 5], "best": 2, "least_events": 2}
    return season(by, evenings, points)


def test_the_table_shows_a_cell_an_event_and_what_does_not_count(league: Series, client: Client):
    found = rows(client, league.get_absolute_url())
    assert [name for name, _row in found][-1] == "Elio", "too few events: after the others"
    assert "Too few events" in found[-1][1]
    assert found[-1][1].count("<i>–</i>") == 2, "no result in two of three"
    name, first = found[0]
    cells = re.findall(r'<td class="c[^"]*"><i>([^<]*)</i>', first)
    assert len(cells) == 3
    assert sum(cell.startswith("(") for cell in cells) == 1, "the best two of three count"
    counted = sum(int(cell) for cell in cells if not cell.startswith("("))
    assert f'<td class="number points">{counted}</td>' in first
    assert f'<a href="/events/{league.events.first().slug}/players/' in first
    assert "doesn’t count" in first
    assert "Points: " in first, f"why {name} is first"


@pytest.mark.deep
def test_up_to_nine_events_are_whole_then_the_last_eight(by: Actor, client: Client):
    evenings = [group_evening(by, "Ada Bea", name=f"Sera {at}") for at in range(10)]
    whole, longer = season(by, evenings[:9]), season(by, evenings)
    assert "All events" not in read(client, whole.get_absolute_url())
    page = read(client, longer.get_absolute_url())
    assert "All events" in page
    assert page.count('<th scope="col" class="c old">') == 2


@pytest.mark.deep
def test_names_are_escaped_and_clubs_stand_beside(by: Actor, client: Client):
    made = season(by, [group_evening(by, "Ada<b>/Nord Bea/Sud")])
    page = read(client, made.get_absolute_url())
    assert "Ada&lt;b&gt;" in page
    assert "Ada<b>" not in page
    assert '<small class="club">Nord</small>' in page


@pytest.mark.deep
def test_what_is_still_possible_is_told_while_events_are_to_come(by: Actor, client: Client):
    names = "Ada Bea Carlo Dora"
    evenings = [group_evening(by, names) for _at in range(3)]
    points = {"by_place": [10, 8, 6, 5], "match_points": 0}
    over = season(by, evenings, points)
    assert "Undecided" not in read(client, f"{over.get_absolute_url()}?first=2")
    coming = make.open_event(by, name="Finale")
    going = season(by, [*evenings, coming], points)
    found = rows(client, f"{going.get_absolute_url()}?first=1")
    assert "Top 1" in found[0][1]
    assert "Undecided" in found[0][1], "the second, or a newcomer, may still catch up"
    assert "Out" in found[-1][1]
    draft = make.event(by, name="Bozza")
    hidden = season(by, [*evenings, draft], points)
    assert "Undecided" in rows(client, f"{hidden.get_absolute_url()}?first=1")[0][1], (
        "a draft that nobody else sees may still be played"
    )


@pytest.mark.deep
def test_match_points_are_decided_once_the_rounds_to_come_are_known(by: Actor, client: Client):
    evenings = [group_evening(by, "Ada Bea") for _at in range(3)]
    swiss = {"formula": "swiss-cut", "options": {"rounds": 2, "cut": 0}}
    known = [make.open_event(by, **swiss), make.playing(by, 4, **swiss)]
    for coming in (make.open_event(by, formula="swiss-cut"), *known):
        made = season(by, [*evenings, coming], {"match_points": 1})
        words = "Qualified" if coming in known else "Undecided"
        assert words in rows(client, f"{made.get_absolute_url()}?first=1")[0][1], coming.state


@pytest.mark.deep
@pytest.mark.parametrize(
    ("players", "values"),
    [
        (7, {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 4}}),
        (5, {"formula": "single-elimination"}),
        (6, {"formula": "double-elimination"}),
        (6, {"formula": "single-group"}),
        (8, {"formula": "groups-knockout"}),
        (9, make.TABLES),
    ],
    ids=lambda value: value["formula"] if isinstance(value, dict) else str(value),
)
def test_nobody_makes_more_of_an_event_than_was_possible(by: Actor, players: int, values: Any):
    event = make.started(by, players, **values)
    known = event_points(event), event_table_points(event)
    most = [max_points_and_wins(planned_stages(event), *known)]
    if "rounds" in event.options:
        event.plan = None
        most.append(max_points_and_wins(planned_stages(event), *known))
    found = compute_final_rows(load_facts(make.play_event(Event.objects.get(pk=event.pk), by)))
    made = max(Fraction(row[2], found["parts"]) for row in found["rows"])
    wins = max(row[3] for row in found["rows"])
    assert all(made <= points and wins <= won for points, won in most), (made, wins, most)


@pytest.mark.deep
def test_a_series_without_points_shows_its_events(by: Actor, client: Client):
    over, running = group_evening(by, name="Ieri"), make.halfway(by, 4, formula="single-group")
    coming = make.open_event(by, name="Domani")
    made = season(by, [over, running, coming], points={})
    assert client.get(made.get_absolute_url())["Location"] == f"{made.get_absolute_url()}events/"
    page = read(client, f"{made.get_absolute_url()}events/")
    for words in ("Running now", "To come", "Past", "Ieri", "Domani", "Winner"):
        assert words in page
    assert "Standings" not in page


@pytest.mark.deep
def test_drafts_are_for_the_staff_alone(by: Actor, client: Client):
    made = season(by, [group_evening(by), make.event(by, name="Bozza")])
    at = f"{made.get_absolute_url()}events/"
    assert "Bozza" not in read(client, at)
    assert "Bozza" in read(signed_in(by), at)
    hidden = season(by, [make.event(by)])
    assert client.get(hidden.get_absolute_url()).status_code == 404
    assert signed_in(by).get(hidden.get_absolute_url()).status_code == 200
    assert client.get("/series/nowhere/").status_code == 404


def test_tabs_are_at_most_six_and_those_of_the_staff_theirs(league: Series, by: Actor):
    def tabs(client: Client) -> list[str]:
        page = read(client, league.get_absolute_url())
        part = page.split('<nav class="tabs"')[1].split("</nav>")[0]
        return [re.sub("<.*?>", "", one).strip() for one in re.findall("<a .*?</a>", part)]

    helper = make.user()
    SeriesStaff.objects.create(series=league, user=helper, role="helper")
    assert tabs(Client(headers=ENGLISH)) == ["Standings", "Events"]
    assert tabs(signed_in(Actor(user=helper))) == ["Standings", "Events"]
    organiser = tabs(signed_in(by))
    assert organiser == ["Standings", "Events", "Who is who", "Staff", "Settings"]
    assert len(organiser) < 6, "there is room for Today"


def test_a_person_has_a_page(league: Series, client: Client):
    (name, row), *_others = rows(client, league.get_absolute_url())
    key = re.search(r"player-(\d+)", row)[1]
    page = read(client, f"{league.get_absolute_url()}players/{key}/")
    assert name in page
    assert page.count("Sera ") >= 3
    assert "doesn’t count" in page
    for event in league.events.all():
        assert f'href="/events/{event.slug}/players/' in page
    last = Event.objects.get(name="Sera 3").entries.get(name=name)
    again = read(client, f"{league.get_absolute_url()}players/{last.pk}/")
    assert again.count("Sera ") == page.count("Sera "), "any of their entries names them"
    assert client.get(f"{league.get_absolute_url()}players/99999/").status_code == 404


def test_a_person_reads_where_they_are(league: Series, client: Client):
    entry = Event.objects.get(name="Sera 1").entries.get(name="Bea")
    user = make.user()
    entry.user = user
    entry.save()
    found = dict(rows(signed_in(Actor(user=user)), league.get_absolute_url()))
    assert 'class="mine"' in found["Bea"]
    assert "mine" not in found["Ada"]
    assert "mine" not in dict(rows(client, league.get_absolute_url()))["Bea"]


@pytest.mark.deep
def test_the_list_has_what_is_public_own_ones_first(by: Actor, client: Client):
    public = season(by, [group_evening(by)], name="Pubblica")
    own = create_series(values={"name": "Vuota"}, by=make.organiser())
    mine = Actor(user=own.staff.get().user)
    assert "Pubblica" in read(client, "/series/")
    assert "Vuota" not in read(client, "/series/")
    page = read(signed_in(mine), "/series/")
    assert page.index("Vuota") < page.index("Pubblica")
    assert "New series" in page
    assert "New series" not in read(client, "/series/")
    assert public.get_absolute_url() in page
    assert 'href="/series/"' in read(client, "/")
    assert 'href="/series/"' in read(signed_in(mine), "/me/")


def test_the_staff_of_an_event_find_its_series(league: Series, by: Actor):
    first = league.events.first()
    page = read(signed_in(by), f"/events/{first.slug}/manage/settings/")
    assert f'href="{league.get_absolute_url()}"' in page


def test_a_correction_after_the_closing_is_told(league: Series, by: Actor, client: Client):
    close_series(series=league, by=by)
    page = read(client, league.get_absolute_url())
    assert "Closed" in page
    assert "corrected after" not in page
    last = league.events.order_by("pk").last()
    change_event_state(event=last, action="reopen", by=by)
    correct(Match.objects.filter(round__event=last)[0], by, score=(0, 2), winner="b")
    change_event_state(event=last, action="finish", by=by)
    assert "Event Sera 3: corrected after" in read(client, league.get_absolute_url())


@pytest.mark.parametrize("language", ["it", "en"])
def test_each_page_reads_in_both_languages(league: Series, by: Actor, language: str):
    client, at = signed_in(by), league.get_absolute_url()
    for part in ("", "events/", "people/", "staff/", "settings/"):
        page = read(client, f"{at}{part}", language)
        assert ("Classifica" in page) == (language == "it"), part


@pytest.mark.deep
def test_a_warm_table_takes_three_queries_of_any_size(
    by: Actor, client: Client, django_assert_max_num_queries: Any
):
    small = season(by, [group_evening(by, "Ada Bea")])
    names = " ".join(f"Nome{at}" for at in range(12))
    large = season(
        by, [group_evening(by, names), group_evening(by, names), group_evening(by, "Ada Bea Carlo")]
    )
    for made in (small, large):
        at = made.get_absolute_url()
        assert client.get(at).status_code == 200
        with django_assert_max_num_queries(3):
            assert client.get(at).status_code == 200


@pytest.mark.deep
def test_the_events_take_as_many_queries_for_many_as_for_few(
    by: Actor, client: Client, django_assert_max_num_queries: Any
):
    few = season(by, [group_evening(by, "Ada Bea")], points={})
    many = season(by, [group_evening(by, "Ada Bea") for _at in range(4)], points={})
    for made in (few, many):
        at = f"{made.get_absolute_url()}events/"
        assert client.get(at).status_code == 200
        with django_assert_max_num_queries(8):
            assert "Winner" in text(client.get(at, headers=ENGLISH))
