"""The forms of series: settings with their errors at the field, events, who is who, staff."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests import factories as make
from tests.browsers import read, signed_in, text
from tests.tournaments.series.evenings import group_evening, season
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, Series, SeriesStaff
from tournaments.series.selectors import load_series_facts, load_series_people, load_series_table
from tournaments.series.services import create_series

pytestmark = pytest.mark.django_db
GOLDEN = Path(__file__).parents[2] / "golden" / "series"
ORDER = {"criterion_points": 1, "criterion_best_result": 2, "criterion_lots": 3}
SIMPLE: dict[str, Any] = {"name": "Lega", "kind": "circuit", "ties": "better", "per": "venue"}


def sent(client: Client, at: str, **values: Any) -> HttpResponse:
    """Send the form of a series, with an order."""
    return client.post(at, SIMPLE | ORDER | values)


def errors(answer: HttpResponse) -> dict[str, list[str]]:
    assert answer.status_code == 400
    return dict(answer.context["form"].errors)


@pytest.fixture
def league(by: Actor) -> Series:
    """Return a series of two evenings; Ada plays in the first alone."""
    first, second = (
        group_evening(by, "Ada Bea Carlo", name="Uno"),
        group_evening(by, "Bea Carlo", name="Due"),
    )
    return season(by, [first, second], name="Lega")


@pytest.mark.parametrize(
    ("kind", "points"),
    [
        ("none", None),
        ("circuit", {"by_place": [10, 8, 6, 5, 4, 3, 2, 1]}),
        ("long-circuit", {"by_place": [25, 18, 15, 12, 10, 8, 6, 4, 2, 1]}),
        ("evening", {"match_points": 1, "taking_part": 1}),
    ],
)
def test_a_new_series_takes_a_name_and_a_choice(signed: Client, kind: str, points: Any):
    answer = sent(signed, "/series/new/", kind=kind)
    made = Series.objects.get()
    assert answer.status_code == 302
    assert answer["Location"] == f"{made.get_absolute_url()}events/"
    assert made.points == points
    assert made.order == ["points", "best_result", "lots"]
    assert made.staff.get().role == "organiser"
    page = signed.get(f"{made.get_absolute_url()}settings/")
    assert page.context["form"]["kind"].value() == kind


@pytest.mark.parametrize(
    ("typed", "read_as"),
    [
        ("10 8 6 5", [10, 8, 6, 5]),
        ("10-8-6-5", [10, 8, 6, 5]),
        ("10; 8; 6", [10, 8, 6]),
        ("10 – 15/2", [10, "15/2"]),
        ("4,5 4", ["4.5", 4]),
    ],
)
def test_points_by_place_are_typed(signed: Client, typed: str, read_as: list[Any]):
    sent(signed, "/series/new/", kind="own", by_place=typed, taking_part="1", wins="1/2")
    points = Series.objects.get().points
    assert points == {"by_place": read_as, "taking_part": 1, "wins": "1/2"}


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("by_place", {"kind": "own", "by_place": "10 8 9"}),
        ("by_place", {"kind": "own", "by_place": "zehn"}),
        ("taking_part", {"kind": "own", "by_place": "10", "taking_part": "-1"}),
        ("kind", {"kind": "own"}),
        ("by_players", {"by_players": "16: 1 2"}),
        ("by_players", {"by_players": "viele"}),
        ("best", {"best": "0"}),
        ("name", {"name": " "}),
        ("criterion_best_result", {"criterion_best_result": 1}),
    ],
)
def test_an_error_stands_at_its_field(signed: Client, field: str, values: dict[str, Any]):
    found = errors(sent(signed, "/series/new/", **values))
    assert [*found] == [field]
    assert not Series.objects.exists()


@pytest.mark.deep
def test_all_that_is_folded(league: Series, signed: Client):
    first, second = league.events.order_by("pk")
    at = f"{league.get_absolute_url()}settings/"
    answer = sent(
        signed,
        at,
        version=league.version,
        best=5,
        ties="share",
        by_players="16: 15 12 10\n32: 20-17",
        least_events=2,
        min_players=3,
        limit=2,
        per="month",
        names_are_people="on",
        **{f"factor_{first.pk}": "2", f"always_{second.pk}": "on"},
        person_0="bea",
        bonus_0="−2",
        reason_0="Assente",
    )
    assert answer.status_code == 302, errors(answer)
    league.refresh_from_db()
    assert league.points == {
        "by_place": [10, 8, 6, 5, 4, 3, 2, 1],
        "best": 5,
        "ties": "share",
        "by_players": [
            {"from": 16, "by_place": [15, 12, 10]},
            {"from": 32, "by_place": [20, 17]},
        ],
        "least_events": 2,
        "min_players": 3,
        "at_most": {"per": "month", "count": 2},
        "factor": {first.slug: 2},
        "always_counts": [second.slug],
    }
    assert [(one.points, one.reason) for one in league.adjustments.all()] == [("-2", "Assente")]
    page = signed.get(at)
    again = {name: page.context["form"][name].value() for name in page.context["form"].fields}
    assert again["person_0"] == "Bea"
    assert again["by_players"] == "16: 15-12-10\n32: 20-17"
    kept = {name: value for name, value in again.items() if value not in (None, "", False)}
    before = league.points
    assert signed.post(at, kept).status_code == 302
    league.refresh_from_db()
    assert league.points == before, "what the form shows is what it stores"
    assert league.adjustments.count() == 1
    assert "Assente" in read(signed, f"{league.get_absolute_url()}")


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("person_0", {"person_0": "Zoe", "bonus_0": "1", "reason_0": "x"}),
        ("bonus_1", {"person_1": "Bea", "bonus_1": "viel", "reason_1": "x"}),
        ("reason_0", {"person_0": "Bea", "bonus_0": "1"}),
        ("person_0", {"bonus_0": "1", "reason_0": "x"}),
    ],
)
def test_a_wrong_bonus_stands_at_its_field(
    league: Series, signed: Client, field: str, values: dict[str, Any]
):
    answer = sent(signed, f"{league.get_absolute_url()}settings/", **values)
    assert [*errors(answer)] == [field]


def test_a_wrong_factor_stands_at_its_event(league: Series, signed: Client):
    field = f"factor_{league.events.first().pk}"
    answer = sent(signed, f"{league.get_absolute_url()}settings/", **{field: "0"})
    assert [*errors(answer)] == [field]


def test_the_slower_of_two_is_told(league: Series, signed: Client):
    at = f"{league.get_absolute_url()}settings/"
    assert sent(signed, at, version=league.version, name="Prima").status_code == 302
    answer = sent(signed, at, version=league.version, name="Seconda")
    assert answer.status_code == 409
    assert answer.context["form"].non_field_errors()
    assert Series.objects.get().name == "Prima"


def test_others_than_organisers_see_no_form(league: Series):
    helper = make.user()
    SeriesStaff.objects.create(series=league, user=helper, role="helper")
    for client in (Client(), signed_in(make.organiser()), signed_in(Actor(user=helper))):
        for part in ("settings/", "people/", "staff/"):
            at = f"{league.get_absolute_url()}{part}"
            assert client.get(at).status_code == 403
            assert client.post(at, {}).status_code == 403
        for part in ("events/add/", "events/remove/", "people/decide/", "delete/"):
            assert client.post(f"{league.get_absolute_url()}{part}").status_code == 403


# --- Events ---------------------------------------------------------------------------------
def test_an_event_is_added_and_removed(league: Series, by: Actor, signed: Client):
    mine, other = make.open_event(by, name="Tre"), make.open_event(make.organiser(), name="Altrui")
    at = f"{league.get_absolute_url()}events/"
    page = read(signed, at)
    assert f'<option value="{mine.slug}">' in page
    assert other.slug not in page
    assert signed.post(f"{at}add/", {"event": mine.slug}).status_code == 302
    assert league.events.count() == 3
    assert signed.post(f"{at}add/", {"event": other.slug}).status_code == 400
    assert signed.post(f"{at}add/", {"event": "nowhere"}).status_code == 400
    assert signed.post(f"{at}remove/", {"event": mine.slug}).status_code == 302
    assert league.events.count() == 2
    assert Event.objects.filter(pk=mine.pk).exists()


def test_a_series_is_deleted_and_its_events_stay(league: Series, signed: Client):
    answer = signed.post(f"{league.get_absolute_url()}delete/", follow=True)
    assert "Deleted: Lega" in text(answer)
    assert not Series.objects.exists()
    assert Event.objects.count() == 2


def test_a_series_is_closed_and_reopened(league: Series, signed: Client):
    at = league.get_absolute_url()
    assert signed.post(f"{at}close/").status_code == 302
    assert "Closed" in read(Client(), at)
    page = read(signed, f"{at}settings/")
    assert "Reopen the series" in page
    assert "Close the series" not in page
    refused = sent(signed, f"{at}settings/", version=league.version + 1)
    assert refused.status_code == 409
    assert signed.post(f"{at}reopen/").status_code == 302
    assert "Closed" not in read(Client(), at)


# --- Who is who -----------------------------------------------------------------------------
def keys(series: Series, name: str) -> list[int]:
    """Return the keys of the people of a series with a name."""
    people = load_series_people(load_series_facts(series, "organiser"))
    return [one.key for one in people.by_key.values() if one.name == name]


@pytest.fixture
def doubtful(by: Actor) -> Series:
    """Return a series of two evenings in which two names are the same."""
    evenings = [group_evening(by, "Ada Bea Carlo"), group_evening(by, "Bea Carlo Dora")]
    return season(by, evenings, names_are_people=False)


def test_a_doubtful_pair_is_asked_once(doubtful: Series, signed: Client):
    at = f"{doubtful.get_absolute_url()}people/"
    page = read(signed, at)
    assert page.count('class="people-pair"') == 2, "Bea and Carlo"
    assert "Possible duplicates" in read(signed, doubtful.get_absolute_url())
    assert "Possible duplicates" not in read(Client(), doubtful.get_absolute_url())
    pair = keys(doubtful, "Bea")
    answer = signed.post(f"{at}decide/", {"person": pair, "same": 1})
    assert answer.status_code == 302
    assert len(keys(doubtful, "Bea")) == 1
    signed.post(f"{at}decide/", {"person": keys(doubtful, "Carlo"), "same": 0})
    page = read(signed, at)
    assert "Possible duplicates" not in page
    assert "Decided" in page
    assert page.count('class="people-pair"') == 2


def test_all_names_are_people_by_one_act(doubtful: Series, signed: Client):
    at = f"{doubtful.get_absolute_url()}people/"
    assert signed.post(f"{at}names/").status_code == 302
    doubtful.refresh_from_db()
    assert [len(keys(doubtful, name)) for name in ("Bea", "Carlo")] == [1, 1]
    page = read(signed, at)
    assert "Possible duplicates" not in page
    assert f'action="{at}names/"' not in page


def test_what_was_decided_is_taken_back(doubtful: Series, signed: Client):
    at = f"{doubtful.get_absolute_url()}people/"
    signed.post(f"{at}decide/", {"person": keys(doubtful, "Bea"), "same": 1})
    (key,) = keys(doubtful, "Bea")
    assert f'action="{at}{key}/part/"' in read(signed, at)
    assert signed.post(f"{at}{key}/part/").status_code == 302
    assert len(keys(doubtful, "Bea")) == 2
    signed.post(f"{at}decide/", {"person": keys(doubtful, "Bea"), "same": 1})
    assert len(keys(doubtful, "Bea")) == 1


def test_two_people_are_joined_by_name(doubtful: Series, signed: Client):
    at = f"{doubtful.get_absolute_url()}people/"
    answer = signed.post(at, {"one": "ada", "other": "Dora"})
    assert answer.status_code == 302
    assert keys(doubtful, "Dora")
    assert not keys(doubtful, "Ada"), "one person, called as in the latest event"
    assert errors(signed.post(at, {"one": "Dora", "other": "Zoe"})).keys() == {"other"}
    twins = signed.post(at, {"one": "Bea", "other": "Dora"})
    assert errors(twins).keys() == {"one"}, "two are called so"


def test_two_players_of_an_event_are_not_one_person(doubtful: Series, signed: Client):
    people = [*keys(doubtful, "Dora"), *keys(doubtful, "Ada")]
    first = Entry.objects.get(name="Bea", event=doubtful.events.order_by("pk").first())
    answer = signed.post(
        f"{doubtful.get_absolute_url()}people/decide/",
        {"person": [people[1], first.pk], "same": 1},
    )
    assert answer.status_code == 400
    assert "Two players in the same event can’t be the same person." in text(answer)
    nobody = signed.post(f"{doubtful.get_absolute_url()}people/decide/", {"person": "99999"})
    assert nobody.status_code == 400


# --- Staff ----------------------------------------------------------------------------------
def test_roles_are_given_and_removed(league: Series, by: Actor, signed: Client):
    other = make.user("aiuto@example.org")
    at = f"{league.get_absolute_url()}staff/"
    assert signed.post(at, {"email": other.email, "role": "helper"}).status_code == 302
    page = read(signed, at)
    assert other.email in page
    given = league.staff.get(user=other)
    assert signed.post(f"{at}{given.pk}/take/").status_code == 302
    assert league.staff.count() == 1
    unknown = signed.post(at, {"email": "nessuno@example.org", "role": "helper"})
    assert errors(unknown).keys() == {"email"}
    last = signed.post(f"{at}{league.staff.get(user=by.user).pk}/take/")
    assert last.status_code == 409


# --- Two leagues by form alone --------------------------------------------------------------
@pytest.mark.deep
def test_the_form_gives_the_table_that_the_rule_asks_for(by: Actor, signed: Client):
    """Set up a league by form: places 10 8 6, one for taking part, best two, final double."""
    evenings = [group_evening(by, "Ada Bea Carlo", name=f"Sera {at}") for at in range(3)]
    sent(signed, "/series/new/", kind="own", by_place="10 8 6", taking_part="1", best=2)
    made = Series.objects.get()
    for event in evenings:
        signed.post(f"{made.get_absolute_url()}events/add/", {"event": event.slug})
    at = f"{made.get_absolute_url()}settings/"
    form = signed.get(at).context["form"]
    values = {name: form[name].value() for name in form.fields}
    kept = {name: value for name, value in values.items() if value not in (None, "", False)}
    last = {f"factor_{evenings[-1].pk}": 2, "names_are_people": "on"}
    assert signed.post(at, kept | last).status_code == 302
    table = load_series_table(load_series_facts(Series.objects.get()))
    points = [table.points(row) for row in table.standings.rows]
    assert points == [11 + 22, 9 + 18, 7 + 14]


def typed(rule: dict[str, Any], event: Event) -> dict[str, Any]:
    """Return what an organiser types for a written rule; the event is all that it names."""
    found = {"kind": "own"} | {key: rule[key] for key in rule if isinstance(rule[key], int | str)}
    found["by_place"] = " ".join(map(str, rule.get("by_place", ())))
    found["by_players"] = "\n".join(
        f"{size['from']}: {'-'.join(map(str, size['by_place']))}"
        for size in rule.get("by_players", ())
    )
    limit = rule.get("at_most", {})
    found |= {"limit": limit.get("count", ""), "per": limit.get("per", "venue")}
    found[f"factor_{event.pk}"] = rule.get("factor", {}).get(event.slug, "")
    if event.slug in rule.get("always_counts", ()):
        found[f"always_{event.pk}"] = "on"
    for at, one in enumerate(rule.get("adjustments", ())):
        found |= {f"person_{at}": one["person"], f"bonus_{at}": one["points"]}
        found[f"reason_{at}"] = one["reason"]
    return found


@pytest.mark.deep
@pytest.mark.parametrize("name", ["circuit", "convention", "league", "season"])
def test_written_rules_are_set_up_by_form_alone(by: Actor, signed: Client, name: str):
    """Type the rules of the tables worked out by hand (``golden/series``)."""
    golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    rule, order = golden["points"], golden["order"]
    event = group_evening(by, "Carlo Elio Bea", name="Principale")
    made = season(by, [event], points={})
    places = {f"criterion_{key}": at for at, key in enumerate(order, start=1)}
    values = SIMPLE | places | typed(rule, event)
    answer = signed.post(f"{made.get_absolute_url()}settings/", values)
    assert answer.status_code == 302, errors(answer)
    made.refresh_from_db()
    kept = {key: value for key, value in rule.items() if key != "adjustments" and value != "better"}
    assert made.points == kept
    assert made.order == order
    given = [
        (one.entry.name, Fraction(one.points), one.reason)
        for one in made.adjustments.order_by("pk")
    ]
    assert given == [
        (one["person"], Fraction(one["points"]), one["reason"])
        for one in rule.get("adjustments", ())
    ]


def test_an_empty_series_says_what_comes_next(by: Actor):
    made = create_series(values={"name": "Vuota", "points": {"wins": 1}}, by=by)
    page = read(signed_in(by), made.get_absolute_url())
    assert "No standings yet" in page
    assert "No events yet" in read(signed_in(by), f"{made.get_absolute_url()}events/")


@pytest.mark.deep
def test_organisers_pages_take_as_many_queries_for_many_as_for_few(
    by: Actor, signed: Client, django_assert_max_num_queries: Any
):
    few = season(by, [group_evening(by, "Ada Bea")])
    many = season(by, [group_evening(by, "Ada Bea Carlo Dora") for _at in range(4)])
    for made in (few, many):
        for part in ("people/", "staff/", "settings/"):
            with django_assert_max_num_queries(10):
                assert signed.get(f"{made.get_absolute_url()}{part}").status_code == 200
