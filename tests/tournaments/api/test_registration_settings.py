"""When registration opens and closes, and the note on the fee, through the API."""

import pytest

from tests import factories as make

pytestmark = pytest.mark.django_db

NEW = {"name": "Coppa", "format": "thoom", "formula": "single-group", "time_zone": "America/Lima"}
PATH = "/api/v1/events/"


def test_an_event_is_made_with_its_times_and_its_fee(api):
    sent = NEW | {
        "registration_opens": "2099-12-01T10:00",
        "registration_closes": "2099-12-04T23:00:00Z",
        "fee": "5 €",
    }
    made = api.post(PATH, sent, format="json")
    assert made.status_code == 201
    stored = api.get(f"{PATH}{made.data['slug']}/").json()
    assert stored["registration_opens"] == "2099-12-01T10:00:00-05:00"
    assert stored["registration_closes"] == "2099-12-04T18:00:00-05:00"
    assert stored["fee"] == "5 €"
    path = f"{PATH}{made.data['slug']}/"
    emptied = {"registration_opens": None, "registration_closes": None, "fee": ""}
    changed = api.patch(path, emptied, format="json").json()
    assert {key: changed[key] for key in emptied} == emptied


def test_an_event_without_them_says_so(api):
    made = api.post(PATH, NEW, format="json").json()
    assert (made["registration_opens"], made["registration_closes"], made["fee"]) == (
        None,
        None,
        "",
    )


@pytest.mark.parametrize("opens", ["2099-12-05T10:00", "2099-12-05T10:01"])
def test_opening_after_closing_is_400_on_the_field(api, by, opens):
    sent = NEW | {"registration_opens": opens, "registration_closes": "2099-12-05T10:00"}
    refused = api.post(PATH, sent, format="json")
    assert refused.status_code == 400
    assert "before it closes" in refused.json()["errors"]["registration_opens"][0]
    assert api.get(PATH).json()["results"] == []
    event = make.event(by)
    path = f"{PATH}{event.slug}/"
    assert api.patch(path, {"registration_opens": opens}, format="json").status_code == 200
    closes = {"registration_closes": "2099-12-05T10:00"}
    again = api.patch(path, closes, format="json")
    assert again.status_code == 400
    assert "registration_opens" in again.json()["errors"]
    event.refresh_from_db()
    assert event.registration_closes is None


@pytest.mark.parametrize("field", ["registration_opens", "registration_closes", "fee"])
@pytest.mark.parametrize("value", ["x" * 201, [], {}, "9999-12-31T23:59:59Z", "0001-01-01T00:00"])
def test_rubbish_is_400_on_the_field(api, field, value):
    if field == "fee" and isinstance(value, str) and len(value) < 200:
        return
    refused = api.post(PATH, NEW | {field: value}, format="json")
    assert refused.status_code == 400
    assert list(refused.json()["errors"]) == [field]


def test_they_lock_at_the_start_but_for_the_fee(api, by):
    event = make.started(by, 4, formula="single-group")
    path = f"{PATH}{event.slug}/"
    refused = api.patch(path, {"registration_opens": "2099-12-05T10:00"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "event_started")
    assert api.patch(path, {"fee": "gratis"}, format="json").json()["fee"] == "gratis"
