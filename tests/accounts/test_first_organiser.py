"""The organiser of a new laptop: by the link that its start prints, and nobody else before them."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.first_organiser import ADDRESS, invite_first, make_first
from accounts.invitations import invite
from accounts.models import SignUpInvitation, User
from config.shown_once import hash_of
from rules.errors import RuleError
from tests import factories as make
from tests.accounts.at_once import at_once
from tournaments.models import Event

HERE = "/accounts/first/"
FORM = {"name": "Marta", "password": "sala-grande-9"}
pytestmark = pytest.mark.django_db


def browser():
    return Client(headers={"accept-language": "en"})


def opened(token):
    reader = browser()
    assert reader.get(f"{HERE}{token}/").url == HERE
    return reader


def printed(capsys):
    call_command("first_organiser")
    return capsys.readouterr().out


def test_the_start_prints_one_link_for_this_machine(settings, capsys):
    settings.SIGN_UP, settings.HTTPS, settings.LISTEN = "invitation", True, "127.0.0.1:8123,x:8123"
    said = printed(capsys)
    (token,) = re.findall(r"https://127\.0\.0\.1:8123/accounts/first/([\w-]{32})/", said)
    assert "SIGN_UP" in said
    assert token not in repr(SignUpInvitation.objects.values())
    opened(token)
    (other,) = re.findall(r"/first/([\w-]+)/", printed(capsys))
    assert browser().get(f"{HERE}{token}/").status_code == 404  # of the start before
    opened(other)


def test_who_opens_it_chooses_name_and_password_and_begins(settings):
    settings.SIGN_UP = "invitation"
    reader = opened(invite_first())
    page = reader.get(HERE)
    assert page.status_code == 200
    assert set(re.findall(r'name="(name|password|email)"', page.content.decode())) == {
        "name",
        "password",
        "email",
    }
    answer = reader.post(HERE, FORM, follow=True)
    assert f"sign in with {ADDRESS}" in answer.content.decode()
    (person,) = User.objects.all()
    assert (person.name, person.is_staff, person.is_superuser) == ("Marta", True, True)
    assert reader.get(reverse("admin:index")).status_code == 200
    phone = browser()
    phone.post("/accounts/login/", {"login": ADDRESS, "password": FORM["password"]})
    assert "Marta" in phone.get("/accounts/me/").content.decode()
    assert reader.get(HERE).status_code == 404


@pytest.mark.parametrize("sign_up", ["open", "invitation"])
def test_nobody_is_first_without_the_link(settings, sign_up):
    settings.SIGN_UP = sign_up
    token = invite_first()
    phone = browser()
    assert phone.get(HERE).status_code == 404
    assert phone.post(HERE, FORM).status_code == 404
    assert phone.get(f"{HERE}{'x' * 32}/").status_code == 404
    assert phone.get(f"/accounts/invitation/{token}/").status_code == 404  # of another kind
    form = {"email": "nora@example.org", "name": "Nora", "password1": "sala-grande-9"}
    assert "by invitation" in phone.post("/accounts/signup/", form).content.decode()
    assert not User.objects.exists()
    opened(token).post(HERE, FORM)
    assert User.objects.get().name == "Marta"
    phone.post("/accounts/signup/", form)
    assert User.objects.count() == (2 if sign_up == "open" else 1)


def test_where_somebody_signs_in_there_is_no_link(capsys):
    token = invite_first()
    make.user("anna@example.org")
    assert browser().get(f"{HERE}{token}/").status_code == 404
    assert "/first/" not in printed(capsys)
    with pytest.raises(RuleError):
        make_first(token_hash=hash_of(token), email=ADDRESS, **FORM)
    assert not SignUpInvitation.objects.filter(first=True).exists()


def test_locked_accounts_of_the_demo_are_nobody(capsys):
    make.user("demo@example.org").set_unusable_password()
    person = User.objects.get()
    person.set_unusable_password()
    person.save()
    make.user("gone@example.org", is_active=False)
    assert "/first/" in printed(capsys)


def test_an_invitation_to_sign_up_makes_no_organiser():
    reader = browser()
    token = invite()
    invite_first()
    assert reader.get(f"{HERE}{token}/").status_code == 404


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "a\u202eb"}, "invisible"),
        ({"password": "12345678"}, "common"),
        ({"password": ""}, "This field is required"),
        ({"password": "marta-org", "email": "marta-org@example.org"}, "similar"),
        ({"email": "not an address"}, "valid email"),
        ({"email": "Gone@example.org"}, "already an account"),
    ],
)
def test_what_can_not_be_is_said_at_its_field(change, told):
    make.user("gone@example.org", is_active=False)
    reader = opened(invite_first())
    answer = reader.post(HERE, FORM | change)
    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert User.objects.count() == 1
    assert reader.post(HERE, FORM).status_code == 302  # the link was not used up


def test_an_address_of_ones_own_is_to_be_proved_where_mail_is_set_up():
    opened(invite_first()).post(HERE, FORM | {"email": "Marta@Example.org"})
    assert not EmailAddress.objects.get(email="marta@example.org").verified


@pytest.mark.django_db(transaction=True)
def test_of_twenty_at_once_one_is_first():
    token = hash_of(invite_first())

    def try_it(number):
        try:
            make_first(token_hash=token, email=f"p{number}@example.org", **FORM)
        except RuleError as refused:
            return refused.code
        return "first"

    answers = at_once(try_it, 20)
    assert answers.count("first") == 1
    assert set(answers) == {"first", "invitation_gone"}
    assert User.objects.count() == 1


def test_the_organiser_makes_an_event_and_the_first_player_has_a_link():
    reader = opened(invite_first())
    reader.post(HERE, FORM)
    event = make.open_event(make.Actor(user=User.objects.get()))
    (entry,) = make.players_more(event, ["Ada"], make.Actor(user=User.objects.get()))
    page = reverse("tournaments:manage-links", args=[event.slug])
    reader.post(page)
    (path,) = re.findall(r"/p/[\w-]+/", reader.get(page).content.decode())
    player = browser()
    player.get(path)
    assert entry.name in player.get(reverse("tournaments:me", args=[event.slug])).content.decode()
    assert Event.objects.count() == 1
