"""What is mailed to an address that nobody has proved, how often, and where its links lead."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client, RequestFactory

from accounts.mail import BETWEEN_MAILS, FROM_ONE_ASKER, count_mail_request, reserve_mail
from config import clients
from config.addresses import site_address
from config.checks import check_site_address
from tests import factories as make
from tests.accounts.at_once import at_once
from tests.browsers import url
from tests.mails import sent_mails

PASSWORD = "sala-grande-9"
RESET, SIGN_UP = "/accounts/password/reset/", "/accounts/signup/"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _by_mail(settings):
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def browser(language="en", **extra):
    return Client(headers={"accept-language": language}, **extra)


def proved(email, **fields):
    person = make.user(email, **fields)
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    return person


def told():
    return [
        "\n".join([each.subject, each.body, *(str(part) for part, _ in each.alternatives)])
        for each in sent_mails()
    ]


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "it"])
def test_twenty_strangers_are_told_no_word_of_who_signs_up(language):
    """Safety notes: twenty mails to twenty strangers with "Buy at evil.example" in them."""
    words = "Buy now at evil.example"
    for number in range(20):
        form = {"email": f"buy{number}@example.org", "name": words, "password1": PASSWORD}
        answer = browser(language, HTTP_USER_AGENT=words).post(SIGN_UP, form)
        assert answer.status_code == 302
    assert len(sent_mails()) == 20
    for text in told():
        assert "evil" not in text
        assert "Buy now" not in text
        assert "@example.org" not in text  # the address itself may be made of words


@pytest.mark.parametrize("known", [True, False])
def test_who_asks_for_a_new_password_says_nothing_to_whom_it_goes(known):
    if known:
        proved("evil-words@example.org", name="Evil Words")
    browser(HTTP_HOST="testserver").post(RESET, {"email": "evil-words@example.org"})
    (text,) = told()
    assert "vil" not in text


def test_a_changed_address_gets_no_name_of_who_typed_it():
    anna = proved("anna@example.org", name="Evil Words")
    reader = browser()
    reader.force_login(anna, backend="django.contrib.auth.backends.ModelBackend")
    reader.post("/accounts/reauthenticate/", {"password": "girone-test"})
    reader.post("/accounts/email/", {"email": "stranger@example.org", "action_add": ""})
    (text,) = [each.body for each in sent_mails() if each.to == ["stranger@example.org"]]
    assert "Evil" not in text
    assert "/confirm-email/" in text


UNKNOWN, CONFIRM = "account/email/unknown_account", "account/email/email_confirmation_signup"


def test_who_would_get_no_mail_has_no_account_half_made():
    from accounts.models import User

    assert reserve_mail(CONFIRM, "nora@example.org")
    form = {"email": "nora@example.org", "name": "Nora", "password1": PASSWORD}
    assert browser().post(SIGN_UP, form).status_code == 429
    assert not User.objects.filter(email="nora@example.org").exists()
    assert not EmailAddress.objects.exists()


@pytest.mark.parametrize("known", [True, False])
def test_signing_up_twice_within_minutes_is_answered_alike(known):
    if known:
        proved("nora@example.org")
    form = {"email": "nora@example.org", "name": "Nora", "password1": PASSWORD}
    answers = [browser().post(SIGN_UP, form).status_code for _ in range(3)]
    assert answers == [302, 429, 429]
    assert len(sent_mails()) == 1


def test_five_minutes_are_any_five_and_not_those_of_the_clock(monkeypatch):
    now = [1_000_000.0]
    monkeypatch.setattr("django.core.cache.backends.base.time.time", lambda: now[0])
    monkeypatch.setattr("django.core.cache.backends.locmem.time.time", lambda: now[0])
    at = []
    for second in range(0, 3600, 20):
        now[0] = 1_000_000.0 + second
        if reserve_mail(UNKNOWN, "anna@example.org"):
            at.append(second)
    assert at == list(range(0, 3600, BETWEEN_MAILS))


def test_asked_at_the_same_moment_one_mail_is_sent():
    took = at_once(lambda _number: bool(reserve_mail(UNKNOWN, "anna@example.org")), 20)
    assert sum(took) == 1


def test_a_client_asks_for_so_many_mails_of_a_kind_and_others_go_on():
    asked = RequestFactory().post("/", REMOTE_ADDR="192.0.2.1")
    emails = [f"p{number}@example.org" for number in range(FROM_ONE_ASKER + 5)]
    took = [count_mail_request(asked, UNKNOWN, email) for email in emails]
    assert took == [True] * FROM_ONE_ASKER + [False] * 5
    form = {"email": "anna@example.org"}
    refused = browser(REMOTE_ADDR="192.0.2.1").post(RESET, form)
    assert (refused.status_code, refused["Retry-After"]) == (429, "600")
    assert sent_mails() == []
    assert browser(REMOTE_ADDR="192.0.2.2").post(RESET, form).status_code == 302
    assert len(sent_mails()) == 1


def test_a_mailbox_is_counted_by_whatever_word_it_is_addressed():
    took = [reserve_mail(UNKNOWN, f"Anna+{number}@example.org") for number in range(10)]
    assert sum(map(bool, took)) == 1


def test_an_account_made_with_a_word_keeps_no_link_from_the_owner_of_the_mailbox():
    proved("anna@example.org")
    proved("anna+stranger@example.org")
    for email in ("anna+stranger@example.org", "anna+nobody@example.org", "anna@example.org"):
        assert browser().post(RESET, {"email": email}).status_code == 302
    assert ["anna@example.org"] in [each.to for each in sent_mails()]


def test_the_limits_outlive_what_others_put_into_the_cache():
    """In one process limits are kept in its memory: a few hundred wrong passwords forgot them."""
    reserve_mail(UNKNOWN, "anna@example.org")
    for number in range(5_000):
        clients.take_rate_limit_slot(f"other:{number}", most=1, seconds=3600)
    assert not reserve_mail(UNKNOWN, "anna@example.org")


@pytest.mark.parametrize(
    ("site", "hosts", "https", "address"),
    [
        ("https://girone.example", ["*"], False, "https://girone.example"),
        ("", ["girone.example", "other.example"], True, "https://girone.example"),
        ("", ["*", ".example.org", "girone.example"], False, "http://girone.example"),
        ("", ["localhost", "girone.example"], True, "https://girone.example"),
        ("", ["localhost", "127.0.0.1"], False, "http://localhost:8000"),
        ("", ["127.0.0.1"], True, "https://127.0.0.1:8000"),
        ("", ["[::1]"], False, "http://[::1]:8000"),
        ("", ["*"], False, ""),
        ("", [".girone.example"], True, ""),
        ("", [], True, ""),
    ],
)
def test_where_links_of_mails_lead(settings, site, hosts, https, address):
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS, settings.HTTPS = site, hosts, https
    settings.LISTEN, settings.PORT = "127.0.0.1:8000", 8000
    assert site_address() == address
    assert bool(check_site_address(None)) is (address == "")


@pytest.mark.parametrize(
    ("listen", "port"), [("0.0.0.0:8123 [::1]:8124", "8123"), ("unix:/run/girone", "8000")]
)
def test_on_this_machine_the_port_is_the_one_it_listens_at(settings, listen, port):
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS, settings.HTTPS = "", ["localhost"], False
    settings.LISTEN, settings.PORT = listen, 8000
    assert site_address() == f"http://localhost:{port}"


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:81", "girone.example:9999"])
def test_no_link_leads_to_what_a_request_says(settings, host, scheme):
    settings.ALLOWED_HOSTS, settings.HTTPS = ["girone.example", "*"], True
    settings.ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https"
    proved("anna@example.org")
    reader = browser(HTTP_HOST=host)
    secure = scheme == "https"
    for email in ("anna@example.org", "nobody@example.org"):
        reader.post(RESET, {"email": email}, secure=secure)
        reader.post(SIGN_UP, {"email": email, "name": "Nora", "password1": PASSWORD}, secure=secure)
    assert len(sent_mails()) == 4
    for text in told():
        assert set(re.findall(r"https?://[^/\s<\"]+", text)) == {"https://girone.example"}
        assert "evil" not in text
        assert "9999" not in text


@pytest.mark.parametrize("hosts", [["*"], [".testserver", "*"]])
def test_a_site_without_an_address_mails_no_link_and_says_what_to_set(settings, hosts):
    settings.ALLOWED_HOSTS = hosts
    anna, bruno = proved("anna@example.org"), make.user("bruno@example.org")
    reader = browser()
    for page in (RESET, SIGN_UP):
        assert "SITE_ADDRESS" in reader.get(page).content.decode()
    tried = [
        (RESET, {"email": anna.email}),
        (RESET, {"email": "nobody@example.org"}),
        (SIGN_UP, {"email": "nora@example.org", "name": "Nora", "password1": PASSWORD}),
        ("/accounts/login/", {"login": bruno.email, "password": "girone-test"}),
    ]
    for page, form in tried:
        answer = reader.post(page, form)
        assert answer.status_code == 409, page
        assert "SITE_ADDRESS" in answer.content.decode()
    assert sent_mails() == []
    (warned,) = check_site_address(None)
    assert (warned.id, "SITE_ADDRESS" in warned.hint) == ("girone.W004", True)


def test_what_has_no_link_goes_out_all_the_same(settings):
    settings.ALLOWED_HOSTS = ["*"]
    anna = proved("anna@example.org")
    reader = browser(HTTP_HOST="evil.example")
    reader.force_login(anna)
    values = {"oldpassword": "girone-test", "password1": PASSWORD, "password2": PASSWORD}
    assert reader.post("/accounts/password/change/", values).status_code == 302
    (text,) = told()
    assert "evil" not in text
    assert "http" not in text


def test_a_site_that_sends_no_mail_needs_no_address(settings):
    settings.SENDS_MAIL, settings.ALLOWED_HOSTS = False, ["*"]
    assert check_site_address(None) == []


def test_an_invitation_to_the_staff_names_nobody_in_the_mail(settings):
    settings.SITE_ADDRESS = "https://girone.example"
    host = make.organiser()
    host.user.name = "Evil Words"
    host.user.save()
    event = make.event(host, name="Cheap watches at evil.example")
    reader = browser(HTTP_HOST="testserver")
    reader.force_login(host.user)
    page = url("manage-staff", event)
    reader.post(page, {"email": "stranger@example.org", "role": "judge"})
    (text,) = told()
    assert "vil" not in text
    assert "watches" not in text
    (path,) = set(re.findall(r"https://girone\.example(/[^\s<\"]+)", text))
    assert "Cheap watches" in Client().get(path, follow=True).content.decode()


@pytest.mark.parametrize("missing", ["turn", "address"])
def test_an_invitation_that_is_not_mailed_is_there_to_hand_on(settings, missing):
    if missing == "address":
        settings.ALLOWED_HOSTS = ["*"]
    else:
        reserve_mail("invitation", "stranger@example.org")
    host = make.organiser()
    event = make.event(host)
    reader = browser()
    reader.force_login(host.user)
    page = url("manage-staff", event)
    form = {"email": "stranger@example.org", "role": "judge"}
    shown = reader.post(page, form, follow=True).content.decode()
    assert sent_mails() == []
    assert "/invitations/" in shown
    assert ("SITE_ADDRESS" if missing == "address" else "received an invitation") in shown
