"""The final of a series: who is invited, with which byes, who comes instead, what is refused."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from rules.people.person_names import Person
from tests import factories as make
from tests.tournaments.series.evenings import evening, names_of, refused, sent, series_of
from tournaments.erasing.services.erase import erase_player
from tournaments.models import Contact, Entry, Event, Series, SeriesStaff, StaffRole
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import add_entries, change_entry
from tournaments.series.finals import make_final
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.deep]


def final_of(api, at: str, **values) -> Event:
    """Make the final of the first six with two byes, unless told otherwise; return it."""
    made = sent(api.post(f"{at}final/", {"first": 6, "first_round_byes": 2} | values))
    return Event.objects.get(slug=made["slug"])


def seeded(final: Event) -> list[str]:
    return [one.name for one in final.entries.filter(seed__isnull=False).order_by("seed")]


@pytest.mark.deep
def test_the_first_six_are_seeded_and_two_rest(api, by):
    last = evening(by, venue="Bar Sport", tables="1-4")
    at = series_of(api, last)
    final = final_of(api, at)
    assert (final.state, final.formula, final.venue) == ("draft", "single-elimination", "Bar Sport")
    assert (final.name, final.tables, final.format) == ("Lega – Final", "1-4", last.format)
    assert seeded(final) == names_of(api, at)[:6]
    assert {one.origin.event for one in final.entries.all()} == {last}
    assert api.get(at).json()["events"] == [last.slug, final.slug]
    people = api.get(f"{at}people/").json()["people"]
    assert sorted(len(one["entries"]) for one in people) == [1, 1, *[2] * 6]
    event = f"/api/v1/events/{final.slug}/"
    sent(api.post(f"{event}start/", {}), 200)
    first = sent(api.post(f"{event}rounds/"))
    byes = [match["a"] for match in first["matches"] if match["b"] is None]
    seeds = dict(final.entries.values_list("number", "seed"))
    assert sorted(seeds[number] for number in byes) == [1, 2]


@pytest.mark.deep
def test_a_formula_says_how_many_rest_if_nobody_does(api, by):
    at = series_of(api, evening(by))
    final = final_of(api, at, first_round_byes=None, name="Finalissima", formula="swiss-cut")
    assert (final.name, final.formula) == ("Finalissima", "swiss-cut")
    assert set(final.entries.values_list("byes", flat=True)) == {0}


@pytest.mark.deep
def test_byes_in_swiss_rounds_go_to_the_best_who_come(api, by):
    at = series_of(api, evening(by))
    final = final_of(api, at, formula="swiss-cut")
    table = names_of(api, at)
    resting = final.entries.filter(byes=1)
    assert {one.name for one in resting} == {*table[:2]}
    sent(api.post(f"{at}final/declined/", {"number": 1}))
    assert {one.name for one in resting.all()} == {*table[1:3]}
    assert set(final.entries.exclude(byes=1).values_list("byes", flat=True)) == {0}


@pytest.mark.deep
def test_who_is_known_comes_with_account_contact_and_consent(api, by):
    last = evening(
        by, contact_terms={"email": True, "memberships": ["PopID"], "why": "", "days": 30}
    )
    ada, bea = last.entries.get(name="Ada"), last.entries.get(name="Bea")
    Entry.objects.filter(pk=ada.pk).update(user=make.user("ada@example.org"), club="Drago")
    agreed = timezone.now() - timedelta(days=2)
    for entry, since in ((ada, agreed), (bea, None)):
        Contact.objects.create(
            entry=entry,
            email=f"{entry.name}@x.it",
            memberships={"popid": entry.name},
            later_since=since,
        )
    at = series_of(api, last)
    final = final_of(api, at, first=8, first_round_byes=0)
    new = {one.name: one for one in final.entries.select_related("contact")}
    assert (new["Ada"].user, new["Ada"].club) == (
        User.objects.get(email="ada@example.org"),
        "Drago",
    )
    told = [
        (one.email, one.memberships, one.later_since)
        for one in (new["Ada"].contact, new["Bea"].contact)
    ]
    assert told == [("Ada@x.it", {"popid": "Ada"}, agreed), ("", {"popid": "Bea"}, None)]
    assert verify_event(final) == []


@pytest.mark.deep
def test_contacts_of_events_of_others_stay_there(api, by):
    last = evening(by)
    Contact.objects.create(entry=last.entries.get(name="Ada"), memberships={"popid": "7"})
    at = series_of(api, last)
    StaffRole.objects.filter(event=last).delete()
    final = final_of(api, at, first=8, first_round_byes=0)
    assert not Contact.objects.filter(entry__event=final).exists()
    assert final.staff.get().user == by.user


@pytest.mark.deep
def test_its_staff_are_those_of_the_latest_event(api, by):
    first, last = evening(by, "Ada Bea"), evening(by)
    old, judge = make.staff(first, "judge"), make.staff(last, "judge")
    staff = {one.user for one in final_of(api, series_of(api, first, last)).staff.all()}
    assert (judge.user in staff, old.user in staff) == (True, False)


# --- Who declines ---------------------------------------------------------------------------
@pytest.mark.deep
def test_the_next_of_the_table_comes_for_who_declines(api, by):
    at = series_of(api, evening(by))
    final, table = final_of(api, at), names_of(api, at)
    told = sent(api.post(f"{at}final/declined/", {"number": 3}))
    assert told == {"number": 7, "name": table[6], "seed": 6}
    assert seeded(final) == [*table[:2], *table[3:7]]
    refused(api.post(f"{at}final/declined/", {"number": 3}), 409, "replaced_already")
    final.entries.get(number=1).delete()  # by the staff
    assert sent(api.post(f"{at}final/declined/", {"number": 1}))["name"] == table[7]
    assert seeded(final) == [table[1], *table[3:8]]
    refused(api.post(f"{at}final/declined/", {"number": 2}), 409, "nobody_left")
    assert seeded(final) == [table[1], *table[3:8]]
    series = Series.objects.get()
    actions = [line.action for line in series.log.order_by("number")]
    assert actions == ["series.created", "series.final_made", *["series.final_replaced"] * 2]
    assert series.log.last().values["number"] == 1
    assert verify_event(Event.objects.get(pk=final.pk)) == []


@pytest.mark.deep
def test_who_drops_before_the_start_is_replaced_too(api, by):
    at = series_of(api, evening(by))
    final, table = final_of(api, at), names_of(api, at)
    withdraw(entry=final.entries.get(number=2), by=by)
    wildcard = add_entries(event=final, people=[Person("Zita")], by=by)[0]
    change_entry(entry=wildcard, changes={"seed": 10}, by=by)
    sent(api.post(f"{at}final/declined/", {"number": 2}))
    assert seeded(final) == [table[0], *table[2:6], "Zita", table[6]]


@pytest.mark.deep
@pytest.mark.parametrize("number", [9, 32_767])
def test_a_player_who_was_not_invited_is_none(api, by, number):
    at = series_of(api, evening(by))
    refused(api.post(f"{at}final/declined/", {"number": 1}), 404, "not_found")
    final_of(api, at)
    refused(api.post(f"{at}final/declined/", {"number": number}), 400, "unknown_player", "number")


@pytest.mark.deep
def test_nobody_is_replaced_once_the_final_has_begun(api, by):
    at = series_of(api, evening(by))
    final = final_of(api, at)
    sent(api.post(f"/api/v1/events/{final.slug}/start/", {}), 200)
    refused(api.post(f"{at}final/declined/", {"number": 1}), 409, "event_started")
    assert final.entries.count() == 6


# --- What is refused ------------------------------------------------------------------------
@pytest.mark.deep
@pytest.mark.parametrize(
    ("values", "path", "says"),
    [
        ({"first": 5}, "first_round_byes", "Possible sizes with these byes: 6, 14"),
        ({"first_round_byes": 1}, "first_round_byes", "Possible byes for 6 players: 2"),
        ({"first": 1}, "first", "Too few players: 1"),
        ({"first": 9, "first_round_byes": None}, "first", "Too few players: 8 (at least 9)"),
        ({"first": 10**9}, "first", "Enter a whole number"),
        ({"first": "6"}, "first", "Enter a whole number"),
        ({"first_round_byes": -1}, "first_round_byes", "Enter a whole number"),
        ({"first_round_byes": [2]}, "first_round_byes", "Enter a whole number"),
        ({"formula": "double-elimination", "first": 3}, "first_round_byes", "Possible byes for"),
    ],
)
def test_a_size_that_does_not_fit_is_refused_with_those_that_do(api, by, values, path, says):
    at = series_of(api, evening(by))
    sizes = {"first": 6, "first_round_byes": 2} | values
    told = refused(api.post(f"{at}final/", sizes, format="json"), 400, "invalid_final", path)
    assert says in told["detail"]
    assert Event.objects.count() == 1


@pytest.mark.deep
@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"starts_at": "soon"}, "starts_at"),
        ({"formula": "nonsense"}, "formula"),
        ({"format": "nonsense"}, "format"),
        ({"name": " "}, "name"),
    ],
)
def test_a_bad_setting_is_named_and_makes_nothing(api, by, values, field):
    at = series_of(api, evening(by))
    answer = api.post(f"{at}final/", {"first": 6} | values, format="json")
    assert (answer.status_code, [*answer.json()["errors"]]) == (400, [field])
    assert Event.objects.count() == 1


@pytest.mark.deep
def test_players_who_are_tied_at_the_cut_need_a_draw(api, by):
    at = series_of(api, evening(by), order=["points"], points={"by_place": [10, 8, 6, 5, 4]})
    told = refused(api.post(f"{at}final/", {"first": 6}), 409, "tied_at_cut")
    assert "rank 5" in told["detail"]
    assert Event.objects.count() == 1
    sent(api.post(f"{at}final/", {"first": 8}))
    refused(api.post(f"{at}final/declined/", {"number": 1}), 409, "nobody_left")


@pytest.mark.deep
def test_there_is_one_final_at_a_time(api, by):
    at = series_of(api, evening(by))
    final = final_of(api, at)
    told = refused(api.post(f"{at}final/", {"first": 6}), 409, "final_exists")
    assert final.name in told["detail"]
    assert api.delete(f"/api/v1/events/{final.slug}/").status_code == 204
    final_of(api, at)


@pytest.mark.deep
def test_a_page_that_showed_an_older_series_makes_no_final(api, by):
    series_of(api, evening(by))
    series = Series.objects.get()
    make_final(series=series, first=6, values={}, version=series.version, by=by)
    code = make.refusal(
        make_final, series=series, first=6, values={}, version=series.version, by=by
    )
    assert code == "stale"


def test_a_closed_series_invites_nobody(api, by):
    at = series_of(api, evening(by))
    Series.objects.update(closed_at=timezone.now())
    refused(api.post(f"{at}final/", {"first": 6}), 409, "series_closed")


@pytest.mark.deep
def test_without_points_there_is_nobody_to_invite(api, by):
    at = series_of(api, evening(by), points=None)
    refused(api.post(f"{at}final/", {"first": 6}), 400, "invalid_final", "first")


@pytest.mark.deep
def test_an_erased_player_is_not_invited(api, by):
    last = evening(by)
    at = series_of(api, last)
    champion = names_of(api, at)[0]
    erase_player(event=last, number=last.entries.get(name=champion).number, confirm=champion, by=by)
    assert seeded(final_of(api, at)) == names_of(api, at)[1:7]


@pytest.mark.deep
@pytest.mark.parametrize(("who", "status"), [("helper", 403), ("other", 403), ("nobody", 401)])
def test_only_organisers_of_the_series_invite(api, by, client_of, who, status):
    at = series_of(api, evening(by))
    final_of(api, at)
    actor = None if who == "nobody" else make.organiser()
    if who == "helper":
        SeriesStaff.objects.create(series=Series.objects.get(), user=actor.user, role="helper")
    for call, body in (("final/", {"first": 6}), ("final/declined/", {"number": 1}), ("next/", {})):
        answer = client_of(actor).post(f"{at}{call}", body, format="json")
        assert answer.status_code == status, (call, answer.content)
    assert Event.objects.count() == 2


@pytest.mark.deep
def test_a_token_needs_the_right_to_manage(api, by, program):
    at = series_of(api, evening(by))
    assert program(by.user, "results").post(f"{at}final/", {"first": 6}).status_code == 403
    own = program(by.user, "manage", Event.objects.get())
    assert own.post(f"{at}final/", {"first": 6}).status_code == 403
    sent(program(by.user, "manage").post(f"{at}final/", {"first": 6}))


@pytest.mark.deep
def test_the_same_key_makes_one_final(api, by, program):
    at, client = series_of(api, evening(by)), program(by.user)
    answers = [
        client.post(f"{at}final/", {"first": 6}, headers={"Idempotency-Key": "finale"})
        for _time in range(2)
    ]
    assert [one.status_code for one in answers] == [201, 201]
    assert answers[0].json()["slug"] == answers[1].json()["slug"]
    assert Event.objects.count() == 2
