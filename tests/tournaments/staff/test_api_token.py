"""The command that prints API tokens."""

import pytest
from django.core.management import CommandError, call_command
from knox.auth import TokenAuthentication

from accounts.models import User
from tests import factories as make

pytestmark = pytest.mark.django_db


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
