"""A site that demands a second factor: whose rights rest, and the way back to the event."""

import re

import pytest
from knox.models import AuthToken

from accounts.models import User
from tests import factories as make
from tests.accounts.second_factor.app import AT, PASSWORD, set_up, with_password
from tournaments.models import StaffRole

pytestmark = pytest.mark.django_db


STAFF_PAGES = ("manage/", "desk/", "log/", "manage/staff/", "checks/", "decklists/")


@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_a_site_may_demand_it_of_its_staff(by, settings, role):
    event = make.playing(by, 4)
    make.staff(event, role)
    person = event.staff.latest("pk").user
    reader, _ = with_password(person.email)
    could = [p for p in STAFF_PAGES if reader.get(f"/events/{event.slug}/{p}").status_code == 200]
    assert could
    settings.SECOND_FACTOR = "demanded"
    for part in could:
        assert reader.get(f"/events/{event.slug}/{part}").url == AT, part
    assert "asks its staff for a second factor" in reader.get(AT).content.decode()
    assert reader.get(f"/events/{event.slug}/").status_code == 200
    reader, *_ = set_up(person.email)
    for part in could:
        assert reader.get(f"/events/{event.slug}/{part}").status_code == 200, part


def test_where_it_is_demanded_nothing_is_written_without(by, settings):
    event = make.event(by)
    settings.SECOND_FACTOR = "demanded"
    reader, _ = with_password(by.user.email)
    assert reader.get(f"/events/{event.slug}/").url == AT  # a draft
    assert reader.post(f"/events/{event.slug}/manage/move/", {"action": "open"}).url == AT
    assert reader.get("/events/new/").url == AT
    assert reader.post("/accounts/me/tokens/").url == AT
    assert not AuthToken.objects.exists()
    api = f"/api/v1/events/{event.slug}/"
    for answer in (reader.get(api), reader.delete(api)):
        assert answer.status_code == 404
    body = {"name": "X", "format": "doomtrooper-original", "formula": "single-group"}
    body |= {"starts_at": "2026-12-05T10:00:00+01:00"}
    made = reader.post("/api/v1/events/", body, content_type="application/json")
    assert made.status_code == 403
    event.refresh_from_db()
    assert event.state == "draft"
    assert "Set it up" in reader.get("/me/").content.decode()


def test_the_admin_site_asks_for_it_too(settings):
    User.objects.create_superuser("boss@example.org", PASSWORD, name="Boss")
    reader, _ = with_password("boss@example.org")
    assert reader.get("/admin/").status_code == 200
    settings.SECOND_FACTOR = "demanded"
    for path in ("/admin/", "/admin/accounts/user/"):
        assert reader.get(path).url == AT
    reader, *_ = set_up("boss@example.org")
    assert reader.get("/admin/accounts/user/").status_code == 200


def test_who_only_plays_is_not_asked(by, anna, settings):
    event = make.open_event(by)
    settings.SECOND_FACTOR = "demanded"
    reader, _ = with_password()
    assert reader.post(f"/events/{event.slug}/register/", {"name": "Anna"}).status_code == 302
    assert reader.get(f"/events/{event.slug}/me/").status_code == 200
    assert reader.get("/accounts/me/").status_code == 200
    assert reader.get("/no/such/page/").status_code == 404


def test_organisers_are_told_gently(by, settings):
    event = make.event(by)
    reader, _ = with_password(by.user.email)
    page = f"/events/{event.slug}/manage/staff/"
    assert "A second factor takes a minute" in reader.get(page).content.decode()
    reader, *_ = set_up(by.user.email)
    assert "A second factor takes a minute" not in reader.get(page).content.decode()


def test_the_page_leads_back_to_the_event(by):
    event = make.event(by)
    reader, _ = with_password(by.user.email)
    staff = f"/events/{event.slug}/manage/staff/"
    link = re.search(rf'href="({AT}\?next=[^"]+)"', reader.get(staff).content.decode())[1]
    assert reader.get(link).url == AT
    assert f'href="{staff}"' in reader.get(AT).content.decode()


def test_where_it_is_demanded_the_page_leads_back_to_what_was_refused(by, settings):
    event = make.event(by)
    settings.SECOND_FACTOR = "demanded"
    reader, _ = with_password(by.user.email)
    refused = f"/events/{event.slug}/manage/"
    assert reader.get(refused).url == AT
    assert f'href="{refused}"' in reader.get(AT).content.decode()


@pytest.mark.parametrize(
    "path", ["https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:1"]
)
def test_the_way_back_stays_on_this_site(anna, path):
    reader, _ = with_password()
    assert reader.get(AT, {"next": path}).url == AT
    page = reader.get(AT).content.decode()
    assert "evil.test" not in page
    assert "javascript:" not in page
    assert "Back to where you came from" not in page
