"""Tokens for programs, made by an event's organisers."""

import re

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.models import LogLine, TokenScope

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.started(by, 4, formula="single-group")


@pytest.fixture
def signed(client, by):
    client.force_login(by.user)
    return client


def test_a_token_is_shown_once_and_opens_this_event_alone(signed, event, by):
    page = f"/events/{event.slug}/manage/tokens/"
    made = signed.post(page, {"level": "results"})
    assert made.status_code == 302
    shown = signed.get(made.url)
    assert shown["Cache-Control"] == "no-store"
    (secret,) = re.findall(r"<pre[^>]*>([0-9a-f]{32,})</pre>", shown.content.decode())
    assert secret not in signed.get(page).content.decode()
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    assert program.get(f"/api/v1/events/{event.slug}/").status_code == 200
    other = make.started(by, 4, formula="single-group", name="Altro")
    assert program.get(f"/api/v1/events/{other.slug}/").status_code == 404
    line = LogLine.objects.get(event=event, action="token.made")
    assert secret not in f"{line.subject}{line.after}"
    assert len(line.subject) == 8


def test_a_revoked_token_opens_nothing(signed, event):
    page = f"/events/{event.slug}/manage/tokens/"
    signed.post(page, {"level": "read"})
    scope = TokenScope.objects.get()
    assert signed.post(f"{page}{scope.pk}/revoke/").status_code == 302
    assert not AuthToken.objects.exists()
    assert signed.post(f"{page}{scope.pk}/revoke/").status_code == 409


def test_a_right_that_does_not_exist_is_refused(signed, event):
    answer = signed.post(f"/events/{event.slug}/manage/tokens/", {"level": "god"})
    assert answer.status_code == 400
    assert not TokenScope.objects.exists()
