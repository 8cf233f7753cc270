"""The admin site shows events and never a secret seed."""

import pytest

from tests import factories as make
from tournaments.models import Draw

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["event", "entry", "staffrole", "match", "draw", "logline"])
def test_lists_are_shown_and_nothing_can_be_added(client, name, by):
    make.next_round(make.started(by, 4, formula="single-group"), by)
    client.force_login(make.user(is_staff=True, is_superuser=True))
    assert client.get(f"/admin/tournaments/{name}/").status_code == 200
    assert client.get(f"/admin/tournaments/{name}/add/").status_code == 403


def test_the_seed_of_an_announced_draw_stays_secret(client):
    make.event(make.organiser())
    draw = Draw.objects.get()
    client.force_login(make.user(is_staff=True, is_superuser=True))
    page = client.get(f"/admin/tournaments/draw/{draw.pk}/change/").content.decode()
    assert draw.fingerprint in page
    assert draw.seed not in page
