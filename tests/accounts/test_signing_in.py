"""Signing up and in: by e-mail, for a whole venue behind one address."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from knox.models import AuthToken

from accounts.models import User

FOCUSED = r'<input[^>]*name="(\w+)"[^>]*autofocus'
PASSWORD = "sala-grande-9"
pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return User.objects.create_user("anna@example.org", PASSWORD, name="Anna")


@pytest.fixture
def client():
    return Client(headers={"accept-language": "en"})


def text(client, page):
    return client.get(f"/accounts/{page}/").content.decode()


def sign_in(client, password=PASSWORD, email="anna@example.org", **extra):
    return client.post("/accounts/login/", {"login": email, "password": password}, **extra)


def test_a_person_signs_up_with_name_address_and_password(client):
    answer = client.post(
        "/accounts/signup/", {"email": "Marta@Example.org", "name": "Marta", "password1": PASSWORD}
    )
    assert answer.status_code == 302
    marta = User.objects.get()
    assert (marta.email, marta.name, marta.can_create_events) == (
        "marta@example.org",
        "Marta",
        True,
    )
    assert "Marta" in client.get("/accounts/me/").content.decode()


@pytest.mark.parametrize(("page", "first"), [("login", "login"), ("signup", "email")])
def test_the_first_field_has_the_focus_until_something_is_wrong(client, page, first):
    focused = re.findall(FOCUSED, text(client, page))
    assert focused == [first]
    wrong = client.post(f"/accounts/{page}/", {})
    assert f'name="{first}"' in wrong.content.decode()
    assert not re.search(FOCUSED, wrong.content.decode())


def test_tab_leads_from_the_address_to_the_password(client):
    page = text(client, "login")
    assert page.index('name="login"') < page.index('name="password"') < page.index("/reset/")


def test_signing_in_by_the_window_over_a_page_is_not_told_on_a_later_page(client, anna):
    signed_in = "signed in as Anna"
    answer = sign_in(client)
    assert signed_in in client.get(answer.url).content.decode()
    client.post("/accounts/logout/")
    client.get("/")  # has told that she is out
    sign_in(client, headers={"X-Requested-With": "XMLHttpRequest"})
    page = client.get("/").content.decode()
    assert "Anna" in page
    assert signed_in not in page


def test_a_name_with_signs_that_cannot_be_seen_is_refused(client):
    data = {"email": "eve@example.org", "name": "Eve\u202ekcalB", "password1": PASSWORD}
    answer = client.post("/accounts/signup/", data, headers={"accept-language": "en"})
    assert "The name holds invisible" in answer.content.decode()
    assert not User.objects.filter(email="eve@example.org").exists()


def test_a_weak_password_is_refused_with_the_reason(client):
    form = {"email": "marta@example.org", "name": "Marta", "password1": "12345"}
    answer = client.post("/accounts/signup/", form)
    assert "too short" in answer.content.decode()
    assert not User.objects.exists()


def test_an_address_counts_once_whatever_its_capitals(anna):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(email="ANNA@example.org", name="Other")
    assert User.objects.get_by_natural_key("ANNA@example.org") == anna


def test_signing_up_again_tells_nobody_that_the_address_is_known(client, anna):
    form = {"email": "anna@example.org", "name": "Anna", "password1": PASSWORD}
    known = client.post("/accounts/signup/", form)
    assert User.objects.count() == 1
    assert known.status_code in (200, 302)


def test_the_session_changes_and_ends(client, anna):
    client.get("/accounts/login/")
    assert sign_in(client).status_code == 302
    before = client.session.session_key
    client.post("/accounts/logout/")
    assert not Session.objects.filter(session_key=before).exists()
    assert client.get("/accounts/me/").status_code == 302


def test_the_session_lasts_an_event_and_its_week(client, anna):
    sign_in(client)
    assert client.session.get_expiry_age() >= 14 * 24 * 3600


def test_a_whole_venue_signs_in_behind_one_address(anna):
    for _ in range(60):
        assert sign_in(Client()).status_code == 302


def test_wrong_passwords_stop_one_address_and_not_the_owner(client, anna):
    for _ in range(10):
        sign_in(client, "wrong")
    assert "Too many" in sign_in(client).content.decode()
    forged = {"headers": {"x-forwarded-for": "10.1.2.3", "accept-language": "en"}}
    assert "Too many" in sign_in(client, **forged).content.decode()
    assert sign_in(Client(REMOTE_ADDR="192.0.2.9")).status_code == 302


def test_a_wrong_password_is_an_error_of_the_form(client, anna):
    answer = sign_in(client, "wrong")
    assert 'role="alert"' in answer.content.decode()
    assert "anna@example.org" in answer.content.decode()


def test_a_new_password_is_asked_for_by_mail(client, anna, settings):
    settings.SENDS_MAIL = True
    answer = client.post("/accounts/password/reset/", {"email": "anna@example.org"})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert (answer.status_code, answer.url) == (unknown.status_code, unknown.url)
    assert len([sent for sent in mail.outbox if sent.to == ["anna@example.org"]]) == 1


def test_changing_the_password_ends_the_other_sessions(client, anna):
    other = Client()
    sign_in(other)
    sign_in(client)
    form = {"oldpassword": PASSWORD, "password1": "sala-piccola-8", "password2": "sala-piccola-8"}
    assert client.post("/accounts/password/change/", form).status_code == 302
    assert other.get("/accounts/me/").status_code == 302
    assert client.get("/accounts/me/").status_code == 200


@pytest.mark.parametrize(
    "page", ["", "login/", "signup/", "logout/", "email/", "password/change/", "password/reset/"]
)
def test_every_page_of_an_account_opens_in_both_languages(anna, page):
    for language in ("it", "en"):
        client = Client(headers={"accept-language": language})
        if page not in ("login/", "signup/"):
            client.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.get(f"/accounts/{page or 'me/'}")
        assert answer.status_code == 200
        assert f'lang="{language}"' in answer.content.decode()


def test_the_admin_site_signs_in_through_the_same_page(client):
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/")


def test_staff_opens_the_users_in_the_admin_site(client):
    boss = User.objects.create_superuser("boss@example.org", PASSWORD, name="Boss")
    client.force_login(boss, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/admin/accounts/user/").status_code == 200
    assert client.get(f"/admin/accounts/user/{boss.pk}/change/").status_code == 200


def test_a_token_is_shown_once_kept_as_a_hash_and_taken_back(client, anna):
    client.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    made = client.post("/accounts/me/tokens/")
    assert made.status_code == 302
    shown = client.get(made.url).content.decode()
    token = AuthToken.objects.get()
    full = shown.partition('<pre tabindex="0">')[2].partition("</pre>")[0]
    assert full.startswith(token.token_key)
    assert full not in token.digest
    header = {"authorization": f"Token {full}"}
    assert Client().get("/api/v1/formats/", headers=header).status_code == 200
    assert full not in client.get("/accounts/me/").content.decode()
    client.post(f"/accounts/me/tokens/{token.token_key}/revoke/")
    assert Client().get("/api/v1/formats/", headers=header).status_code == 401


def test_nobody_takes_back_the_token_of_another(client, anna):
    token = AuthToken.objects.create(user=anna)[0]
    other = User.objects.create_user("bruno@example.org", PASSWORD, name="Bruno")
    client.force_login(other, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(f"/accounts/me/tokens/{token.token_key}/revoke/")
    assert answer.status_code == 404
    assert AuthToken.objects.exists()


def test_too_short_a_password_is_refused_in_the_readers_language(client):
    data = {"email": "neu@example.org", "name": "Neu", "password1": "kurz"}
    answer = client.post("/accounts/signup/", data, headers={"accept-language": "it"})
    assert "La password è troppo corta" in answer.content.decode()
    assert "This password" not in answer.content.decode()


def test_signing_in_offers_the_forgotten_password_once(client):
    page = client.get("/accounts/login/").content.decode()
    assert page.count("/accounts/password/reset/") == 1
