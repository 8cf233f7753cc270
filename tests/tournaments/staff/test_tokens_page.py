"""Tokens of programs: made on pages and by a command, and when they end."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.forms import EmailAwarePasswordResetTokenGenerator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.management.commands import changepassword
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.models import AuthToken
from rest_framework.test import APIClient

from accounts.models import TokenUse, User
from tests import factories as make
from tournaments.models import LogLine, TokenScope
from tournaments.staff.services import create_event_token

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
    assert program(secret).get(f"/api/v1/events/{event.slug}/").status_code == 200
    other = make.started(by, 4, formula="single-group", name="Altro")
    assert program(secret).get(f"/api/v1/events/{other.slug}/").status_code == 404
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


def program(secret):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client


def test_a_token_ends_when_it_was_chosen_to(event, by):
    secret = create_event_token(event=event, level="read", days=7, by=by)
    address = f"/api/v1/events/{event.slug}/"
    assert program(secret).get(address).status_code == 200
    token = AuthToken.objects.get()
    assert timedelta(days=6, hours=23) < token.expiry - timezone.now() <= timedelta(days=7)
    AuthToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert program(secret).get(address).status_code == 401


@pytest.mark.parametrize(("sent", "days"), [({}, 30), ({"days": "1"}, 1), ({"days": "0"}, None)])
def test_the_forms_offer_when_a_token_ends(signed, event, sent, days):
    for page in (f"/events/{event.slug}/manage/tokens/", "/accounts/me/tokens/"):
        AuthToken.objects.all().delete()
        assert signed.post(page, {"level": "read"} | sent).status_code == 302
        expiry = AuthToken.objects.get().expiry
        if days is None:
            assert expiry is None
        else:
            assert abs(expiry - timezone.now() - timedelta(days=days)) < timedelta(minutes=1)
    AuthToken.objects.all().delete()
    signed.post("/accounts/me/tokens/", {"days": "99999"})
    assert not AuthToken.objects.exists()


@pytest.mark.parametrize("how", ["page", "reset", "command"])
def test_with_the_password_all_tokens_end(
    signed, event, by, how, monkeypatch, mailoutbox, settings
):
    settings.SENDS_MAIL = True
    secret = create_event_token(event=event, level="read", by=by)
    other = make.organiser()
    AuthToken.objects.create(user=other.user)
    by.user.name = "Olga"
    by.user.save()
    assert AuthToken.objects.count() == 2
    new = "Una-nuova-parola-9"
    if how == "page":
        sent = {"oldpassword": "girone-test", "password1": new, "password2": new}
        assert signed.post("/accounts/password/change/", sent).status_code == 302
    elif how == "reset":
        token = EmailAwarePasswordResetTokenGenerator().make_token(by.user)
        key = f"{user_pk_to_url_str(by.user)}-{token}"
        first = signed.get(f"/accounts/password/reset/key/{key}/")
        signed.post(first["Location"], {"password1": new, "password2": new})
    else:
        monkeypatch.setattr(changepassword.Command, "_get_pass", lambda *_args: new)
        call_command("changepassword", by.user.email, stdout=StringIO())
    by.user.refresh_from_db()
    assert by.user.check_password(new)
    assert AuthToken.objects.get().user == other.user
    assert program(secret).get(f"/api/v1/events/{event.slug}/").status_code == 401


@pytest.mark.deep
def test_a_stronger_hash_of_the_same_password_ends_nothing(event, by, client, settings):
    create_event_token(event=event, level="read", by=by)
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    before = by.user.password
    assert client.login(email=by.user.email, password="girone-test")
    by.user.refresh_from_db()
    assert by.user.password != before
    assert AuthToken.objects.count() == 1


def test_when_a_token_was_used_last_is_shown(signed, event, by, in_english):
    secret = create_event_token(event=event, level="read", by=by)
    page = f"/events/{event.slug}/manage/tokens/"
    english = {"headers": {"accept-language": "en"}}
    for at in (page, "/accounts/me/"):
        assert re.search(r"Last used:\s+–", signed.get(at, **english).content.decode())
    program(secret).get(f"/api/v1/events/{event.slug}/")
    assert timezone.now() - TokenUse.objects.get().at < timedelta(minutes=1)
    for at in (page, "/accounts/me/"):
        shown = signed.get(at, **english).content.decode()
        assert re.search(r"Last used:\s+<time", shown)


def test_a_database_that_can_not_be_written_refuses_no_program(event, by, monkeypatch):
    secret = create_event_token(event=event, level="read", by=by)

    def locked(*_args, **_more):
        raise OperationalError("database is locked")

    monkeypatch.setattr(TokenUse.objects, "update_or_create", locked)
    assert program(secret).get(f"/api/v1/events/{event.slug}/").status_code == 200


def token_of(capsys, *arguments):
    call_command("api_token", *arguments)
    return capsys.readouterr().out.strip()


def test_it_prints_nothing_but_a_token_of_that_user(capsys):
    person = make.user("nora@example.org")
    token = token_of(capsys, "Nora@example.org")
    found, _ = TokenAuthentication().authenticate_credentials(token.encode())
    assert found == person


def test_create_makes_a_program_that_may_create_events_once(capsys):
    first = token_of(capsys, "checker", "--create")
    second = token_of(capsys, "checker", "--create")
    assert first != second
    made = User.objects.get()
    assert made.can_create_events
    assert not made.has_usable_password()
    assert token_of(capsys, "checker")


@pytest.mark.parametrize("arguments", [["nobody"], ["nobody@example.org"], ["???", "--create"]])
def test_it_leaves_with_2_without_a_user(arguments):
    with pytest.raises(CommandError) as caught:
        call_command("api_token", *arguments)
    assert caught.value.returncode == 2
    assert not User.objects.exists()


def test_who_may_not_sign_in_gets_no_token():
    make.user("gone@example.org", is_active=False)
    with pytest.raises(CommandError):
        call_command("api_token", "gone@example.org")
