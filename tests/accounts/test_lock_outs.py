"""No stranger keeps an owner out: who asks is counted, before for whom."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.mail import FROM_ONE_ASKER
from accounts.models import Outgoing
from tests import factories as make
from tests.mails import sent_mails

PASSWORD = "girone-test"
RESET, LOGIN, SIGN_UP = "/accounts/password/reset/", "/accounts/login/", "/accounts/signup/"
HALL = "192.0.2.1"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _by_mail(settings):
    settings.SENDS_MAIL = settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.SITE_ADDRESS = "http://testserver"


def phone(at=HALL):
    return Client(headers={"accept-language": "en"}, REMOTE_ADDR=at)


def person(email="anna@example.org"):
    user = make.user(email)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


def sign_in(reader, email="anna@example.org", password=PASSWORD):
    return reader.post(LOGIN, {"login": email, "password": password})


def known_phone(email="anna@example.org", at=HALL):
    """Return a phone on which somebody has signed in and out."""
    reader = phone(at)
    assert sign_in(reader, email).status_code == 302
    reader.post("/accounts/logout/")
    return reader


def mails_to(email):
    return [each for each in sent_mails() if each.to == [email]]


@pytest.mark.deep
@pytest.mark.parametrize("tried", [15, 700])
def test_wrong_passwords_of_the_hall_leave_the_owners_phone_alone(tried):
    person()
    own = known_phone()
    stranger = phone()
    for number in range(tried):
        email = "anna@example.org" if number < 15 else f"p{number}@example.org"
        sign_in(stranger, email, "wrong")
    assert sign_in(stranger).status_code != 302
    assert sign_in(own).status_code == 302


@pytest.mark.deep
def test_a_new_phone_of_the_owner_elsewhere_signs_in():
    person()
    for at in range(5):
        for _ in range(15):
            sign_in(phone(f"198.51.100.{at}"), password="wrong")
    assert sign_in(phone("203.0.113.7")).status_code == 302


@pytest.mark.deep
def test_a_new_phone_behind_the_strangers_address_signs_in_by_a_new_password():
    person()
    for _ in range(15):
        sign_in(phone(), password="wrong")
    own = phone()
    assert "Too many" in sign_in(own).content.decode()
    own.post(RESET, {"email": "anna@example.org"})
    (link,) = re.findall(
        r"http://testserver(/accounts/password/reset/key/\S+)", sent_mails()[0].body
    )
    form = own.get(link, follow=True).redirect_chain[-1][0]
    new = "sala-grande-9"
    assert own.post(form, {"password1": new, "password2": new}).status_code == 302
    for _ in range(15):
        sign_in(phone(), password="wrong")
    assert sign_in(own, password=new).status_code == 302


def test_a_phone_known_for_one_account_is_a_stranger_to_another():
    person()
    person("eva@example.org")
    evas = known_phone("eva@example.org")
    took = ["Too many" in sign_in(evas, password="wrong").content.decode() for _ in range(12)]
    assert took == [False] * 10 + [True] * 2
    again = known_phone("eva@example.org")
    assert "Too many" in sign_in(again, password="wrong").content.decode()


def test_on_the_owners_own_phone_guessing_is_bounded_too():
    person()
    own = known_phone()
    for _ in range(10):
        assert "Too many" not in sign_in(own, password="wrong").content.decode()
    assert "Too many" in sign_in(own).content.decode()
    assert sign_in(phone()).status_code == 302


@pytest.mark.parametrize("forged", ["{}", "anna", "eyJhIjoiYiJ9:1abcde:signature"])
def test_a_forged_mark_makes_no_phone_known(forged):
    person()
    stranger = phone()
    stranger.cookies["device"] = forged
    for _ in range(10):
        sign_in(stranger, password="wrong")
    assert "Too many" in sign_in(stranger).content.decode()


@pytest.mark.deep
def test_a_phone_remembers_its_last_accounts_and_no_more():
    reader = phone()
    for number in range(10):
        person(f"p{number}@example.org")
        assert sign_in(reader, f"p{number}@example.org").status_code == 302
        reader.post("/accounts/logout/")
    for _ in range(15):
        sign_in(phone(), "p0@example.org", "wrong")
        sign_in(phone(), "p9@example.org", "wrong")
    assert sign_in(reader, "p0@example.org").status_code == 200
    assert sign_in(reader, "p9@example.org").status_code == 302


@pytest.mark.parametrize("known", [True, False])
def test_a_link_is_mailed_once_in_five_minutes_and_everybody_reads_the_same(known):
    if known:
        person()
    for at in range(8):
        answer = phone(f"198.51.100.{at}").post(RESET, {"email": "Anna@example.org"})
        assert (answer.status_code, answer.url) == (302, f"{RESET}done/")
    assert len(mails_to("anna@example.org")) == 1


@pytest.mark.deep
def test_a_stranger_who_asks_all_day_keeps_no_link_from_the_owner(monkeypatch):
    person()
    now = [1_000_000.0]
    monkeypatch.setattr("django.core.cache.backends.base.time.time", lambda: now[0])
    monkeypatch.setattr("django.core.cache.backends.locmem.time.time", lambda: now[0])
    for _minute in range(60):
        now[0] += 60
        phone().post(RESET, {"email": "anna@example.org"})
    assert len(mails_to("anna@example.org")) == 12  # the latest is never older than five minutes


def test_a_mail_that_failed_is_tried_again_and_not_doubled_by_who_asks_again():
    person()

    def refused(*_args, **_more):
        raise ConnectionRefusedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.core.mail.backends.locmem.EmailBackend.open", refused)
        assert phone().post(RESET, {"email": "anna@example.org"}).status_code == 302
        assert mails_to("anna@example.org") == []
    assert phone().post(RESET, {"email": "anna@example.org"}).status_code == 302
    Outgoing.objects.update(due_at=timezone.now())
    assert len(mails_to("anna@example.org")) == 1


@pytest.mark.deep
def test_a_hall_of_phones_signs_up_asks_for_links_and_signs_in_at_once():
    emails = [f"p{number}@example.org" for number in range(128)]
    for email in emails:
        form = {"email": f"new-{email}", "name": "Nora", "password1": "sala-grande-9"}
        assert phone().post(SIGN_UP, form).status_code == 302
        person(email)
        assert phone().post(RESET, {"email": email}).status_code == 302
        assert sign_in(phone(), email, "wrong").status_code == 200
        assert sign_in(phone(), email).status_code == 302
    assert len(sent_mails()) == 2 * len(emails)


@pytest.mark.deep
def test_a_hall_that_has_asked_too_often_leaves_a_known_phone_its_link():
    person()
    own = known_phone()
    for number in range(FROM_ONE_ASKER):
        assert phone().post(RESET, {"email": f"p{number}@example.org"}).status_code == 302
    sent_mails().clear()
    refused = phone().post(RESET, {"email": "anna@example.org"})
    assert refused.status_code == 429
    assert "10 minutes" in refused.content.decode()
    assert sent_mails() == []
    assert own.post(RESET, {"email": "anna@example.org"}).status_code == 302
    assert len(mails_to("anna@example.org")) == 1


def test_a_changed_password_is_told_whatever_strangers_asked_for():
    anna = person()
    for _ in range(8):
        phone().post(RESET, {"email": anna.email})
        phone().post(SIGN_UP, {"email": anna.email, "name": "A", "password1": "sala-grande-9"})
    own = phone()
    own.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    sent_mails().clear()
    new = "sala-grande-9"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert own.post("/accounts/password/change/", form).status_code == 302
    assert len(mails_to(anna.email)) == 1
