"""Late entries through the API."""

import pytest

from tests import factories as make

pytestmark = pytest.mark.django_db

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo"}


def test_a_program_enters_a_player_after_the_start(api, by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    address = f"/api/v1/events/{event.slug}/"
    sent = api.post(f"{address}players/", {"name": "Zita", "late": "loss"})
    assert (sent.status_code, sent.json()["number"]) == (201, 9)
    matches = api.get(f"{address}matches/").json()
    rows = matches["results"] if isinstance(matches, dict) else matches
    (missed,) = [row for row in rows if row["a"] == 9]
    assert (missed["b"], missed["winner"], missed["ended_by"]) == (None, "none", "no_show")


@pytest.mark.parametrize(
    ("body", "status"),
    [({"name": "Zita"}, 409), ({"name": "Zita", "late": "win"}, 400)],
)
def test_without_a_choice_nobody_enters(body, status, api, by):
    event = make.started(by, 8, **SWISS)
    assert api.post(f"/api/v1/events/{event.slug}/players/", body).status_code == status
    assert event.entries.count() == 8


def test_groups_take_nobody(api, by):
    event = make.started(by, 8, formula="single-group", format="creatures-of-exo")
    body = {"name": "Zita", "late": "bye"}
    refused = api.post(f"/api/v1/events/{event.slug}/players/", body)
    assert (refused.status_code, refused.json()["code"]) == (409, "late_entry_not_possible")


def test_who_is_late_has_what_was_sent_of_them(api, by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    address = f"/api/v1/events/{event.slug}/players/"
    late = {"name": "Zita", "late": "bye"}
    sent = api.post(address, late | {"club": "Lupi", "fixed_table": 3})
    assert (sent.json()["club"], sent.json()["fixed_table"]) == ("Lupi", 3)
    refused = api.post(address, late | {"seed": 1})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["seed"])
    assert event.entries.count() == 9
