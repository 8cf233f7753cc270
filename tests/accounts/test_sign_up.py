"""Signing up and in: by e-mail, by invitation, and by the link of a new laptop's start."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from accounts.first_organiser import ADDRESS, create_first_organiser, invite_first_organiser
from accounts.invitations import create_invitation
from accounts.models import SignUpInvitation, User
from config.shown_once import token_hash
from rules.errors import RuleError
from tests import factories as make
from tests.accounts.at_once import at_once
from tests.browsers import url
from tests.mails import sent_mails
from tournaments.models import Event

pytestmark = pytest.mark.django_db


PASSWORD = "sala-grande-9"
SIGN_UP = "/accounts/signup/"


@pytest.fixture
def known():
    person = make.user("anna@example.org")
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    return person


@pytest.fixture
def _by_mail(settings):
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def browser(**extra):
    return Client(headers={"accept-language": "en"}, **extra)


def form(email, name="Somebody", password=PASSWORD):
    return {"email": email, "name": name, "password1": password}


def plain(answer, email):
    """Return an answer without what is made by chance, and without the address that was typed."""
    text = answer.content.decode().replace(email, "ADDRESS")
    text = re.sub(r'value="\w{64}"', "", text)
    # Expires is the moment of the answer, and every session has a reader's mark of its own.
    chance = ("X-Request-ID", "Expires", "X-Girone-Reader")
    headers = {key: value for key, value in answer.headers.items() if key not in chance}
    cookies = sorted(answer.cookies)
    return answer.status_code, text, headers, cookies


@pytest.mark.usefixtures("_by_mail")
def test_a_known_address_gets_the_same_answer_and_a_mail_of_its_own(known):
    answers = {}
    for email in (known.email, "nora@example.org"):
        reader = browser()
        first = reader.post(SIGN_UP, form(email))
        then = reader.get(first.url)
        again = reader.get(SIGN_UP)
        answers[email] = [plain(answer, email) for answer in (first, then, again)]
    assert answers[known.email] == answers["nora@example.org"]
    assert answers[known.email][0][0] == 302
    told, asked = (next(m for m in sent_mails() if m.to == [email]) for email in answers)
    assert "already" in told.body.lower()
    assert "/confirm-email/" not in told.body
    assert "/confirm-email/" in asked.body
    assert User.objects.count() == 2
    assert not EmailAddress.objects.get(email="nora@example.org").verified


@pytest.mark.usefixtures("_by_mail")
@pytest.mark.parametrize("password", ["12345", "girone-test"])
def test_a_refused_form_is_the_same_for_both(known, password):
    pages = [
        plain(browser().post(SIGN_UP, form(email, "", password)), email)
        for email in (known.email, "nora@example.org")
    ]
    assert pages[0] == pages[1]


@pytest.mark.usefixtures("_by_mail")
def test_an_address_is_checked_before_it_is_used():
    reader = browser()
    reader.post(SIGN_UP, form("nora@example.org", "Nora"))
    assert reader.get("/accounts/me/").status_code == 302
    link = re.search(r"/accounts/confirm-email/\S+", sent_mails()[0].body)[0]
    assert "nora@example.org" in reader.get(link).content.decode()
    reader.post(link)
    reader.post("/accounts/login/", {"login": "nora@example.org", "password": PASSWORD})
    assert "Nora" in reader.get("/accounts/me/").content.decode()


@pytest.mark.usefixtures("_by_mail")
def test_a_new_address_takes_the_place_of_the_old_once_it_is_checked(known):
    reader = browser()
    reader.force_login(known, backend="django.contrib.auth.backends.ModelBackend")
    reader.post("/accounts/reauthenticate/", {"password": "girone-test"})
    reader.post("/accounts/email/", {"email": "nuova@example.org", "action_add": ""})
    known.refresh_from_db()
    assert known.email == "anna@example.org"
    link = re.search(r"/accounts/confirm-email/\S+", sent_mails()[-1].body)[0]
    reader.post(link)
    known.refresh_from_db()
    assert known.email == "nuova@example.org"


def test_without_mail_asking_for_taken_addresses_ends_after_twenty(known):
    reader = browser()
    for _ in range(20):
        answer = reader.post(SIGN_UP, form(known.email))
        assert "already" in answer.content.decode()
    for email in (known.email, "nobody@example.org"):
        assert reader.post(SIGN_UP, form(email)).status_code == 429
    assert (
        browser(REMOTE_ADDR="192.0.2.9").post(SIGN_UP, form("nora@example.org")).status_code == 302
    )


def test_by_invitation_nobody_else_signs_up_and_nothing_is_told(known, settings):
    settings.SIGN_UP = "invitation"
    pages = [browser().post(SIGN_UP, form(email)) for email in (known.email, "nora@example.org")]
    assert plain(pages[0], known.email) == plain(pages[1], "nora@example.org")
    assert "You need an invitation" in pages[0].content.decode()
    assert User.objects.count() == 1


def test_an_invitation_makes_one_account(settings, capsys):
    settings.SIGN_UP = "invitation"
    call_command("invite", "--site", "https://girone.example")
    link = capsys.readouterr().out.strip()
    path = link.removeprefix("https://girone.example")
    token = path.strip("/").rpartition("/")[2]
    assert SignUpInvitation.objects.get().token_hash == token_hash(token)
    first, second = browser(), browser()
    for reader in (first, second):
        assert reader.get(path).url == SIGN_UP
        assert 'name="password1"' in reader.get(SIGN_UP).content.decode()
    assert first.post(SIGN_UP, form("nora@example.org", "Nora")).status_code == 302
    second.post(SIGN_UP, form("olga@example.org", "Olga"))
    assert list(User.objects.values_list("name", flat=True)) == ["Nora"]
    assert browser().get(path).status_code == 404


@pytest.mark.usefixtures("_by_mail")
def test_an_invitation_is_used_up_by_a_known_address_too(known, settings):
    settings.SIGN_UP = "invitation"
    for email in (known.email, "nobody@example.org"):
        path = f"/accounts/invitation/{create_invitation()}/"
        reader = browser()
        reader.get(path)
        assert reader.post(SIGN_UP, form(email)).status_code == 302
        assert browser().get(path).status_code == 404


def test_an_invitation_ends(settings):
    settings.SIGN_UP = "invitation"
    path = f"/accounts/invitation/{create_invitation()}/"
    reader = browser()
    reader.get(path)
    SignUpInvitation.objects.update(expires_at="2026-01-01T00:00Z")
    assert browser().get(path).status_code == 404
    assert (
        "You need an invitation" in reader.post(SIGN_UP, form("nora@example.org")).content.decode()
    )
    create_invitation()
    assert SignUpInvitation.objects.count() == 1


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_twenty_with_one_invitation_make_one_account(settings):
    """Safety notes, T24."""
    settings.SIGN_UP = "invitation"
    path = f"/accounts/invitation/{create_invitation()}/"
    readers = [browser() for _ in range(20)]
    for reader in readers:
        reader.get(path)
    answers = at_once(
        lambda number: readers[number].post(SIGN_UP, form(f"p{number}@example.org")).status_code, 20
    )
    assert answers.count(302) == 1
    assert set(answers) <= {302, 404, 200}
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by_mail", [True, False])
def test_one_address_signed_up_twice_at_the_same_moment_is_one_account(settings, by_mail):
    settings.SENDS_MAIL = by_mail
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory" if by_mail else "none"
    readers = [browser() for _ in range(8)]
    answers = at_once(
        lambda number: readers[number].post(SIGN_UP, form("nora@example.org")).status_code, 8
    )
    assert User.objects.count() == 1
    # A mailbox gets one mail of a kind in five minutes: who is later may be told so.
    assert set(answers) <= ({302, 429} if by_mail else {302, 200, 409})


def test_the_rules_of_passwords_are_one_line_in_the_readers_language():
    page = browser().get(SIGN_UP).content.decode()
    assert "Use at least 8 characters, and not only digits" in page
    assert "too similar to your other personal information" not in page
    italian = Client(headers={"accept-language": "it"}).get(SIGN_UP).content.decode()
    assert "Usa almeno 8 caratteri, non solo cifre" in italian


FOCUSED = r'<input[^>]*name="(\w+)"[^>]*autofocus'


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
    assert page.count("/accounts/password/reset/") == 1


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


@pytest.mark.parametrize(
    ("change", "language", "words"),
    [
        ({"password1": "12345"}, "en", "Use at least 8 characters."),
        ({"password1": "kurz"}, "it", "Usa almeno 8 caratteri."),
        ({"name": "Eve\u202ekcalB"}, "en", "This text contains invisible"),
    ],
)
def test_what_is_wrong_is_refused_in_the_readers_language(client, change, language, words):
    form = {"email": "marta@example.org", "name": "Marta", "password1": PASSWORD} | change
    answer = client.post("/accounts/signup/", form, headers={"accept-language": language})
    assert words in answer.content.decode()
    assert not User.objects.exists()


def test_an_address_counts_once_whatever_its_capitals(anna):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(email="ANNA@example.org", name="Other")
    assert User.objects.get_by_natural_key("ANNA@example.org") == anna


def test_the_session_lasts_an_event_and_its_week_changes_and_ends(client, anna):
    sign_in(client)
    assert client.session.get_expiry_age() >= 14 * 24 * 3600
    client.get("/accounts/login/")
    assert sign_in(client).status_code == 302
    before = client.session.session_key
    client.post("/accounts/logout/")
    assert not Session.objects.filter(session_key=before).exists()
    assert client.get("/accounts/me/").status_code == 302


def test_wrong_passwords_stop_one_address_and_not_the_owner(client, anna):
    answer = sign_in(client, "wrong")
    assert 'role="alert"' in answer.content.decode()
    assert "anna@example.org" in answer.content.decode()
    for _ in range(10):
        sign_in(client, "wrong")
    assert "Too many" in sign_in(client).content.decode()
    forged = {"headers": {"x-forwarded-for": "10.1.2.3", "accept-language": "en"}}
    assert "Too many" in sign_in(client, **forged).content.decode()
    assert sign_in(Client(REMOTE_ADDR="192.0.2.9")).status_code == 302


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


def test_the_admin_site_signs_in_through_the_same_page_and_shows_users(client):
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/")
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


HERE = "/accounts/first/"
FORM = {"name": "Marta", "password": "sala-grande-9"}


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
    reader = opened(invite_first_organiser())
    page = reader.get(HERE)
    assert page.status_code == 200
    assert set(re.findall(r'name="(name|password|email)"', page.content.decode())) == {
        "name",
        "password",
        "email",
    }
    reader.post(HERE, FORM, follow=True)
    (person,) = User.objects.all()
    assert (person.name, person.is_staff, person.is_superuser) == ("Marta", True, True)
    assert reader.get(reverse("admin:index")).status_code == 200
    phone = browser()
    phone.post("/accounts/login/", {"login": ADDRESS, "password": FORM["password"]})
    assert "Marta" in phone.get("/accounts/me/").content.decode()
    assert reader.get(HERE).status_code == 404


@pytest.mark.deep
def test_the_first_organiser_goes_on_to_a_new_event_or_to_demo_events(settings):
    settings.ONLY_HERE = True
    assert opened(invite_first_organiser()).post(HERE, FORM).url == reverse("tournaments:event-new")
    assert not Event.objects.exists()
    User.objects.all().delete()
    reader = opened(invite_first_organiser())
    answer = reader.post(HERE, FORM | {"demo": "on"})
    assert answer.url == settings.LOGIN_REDIRECT_URL
    assert Event.objects.count() > 5
    assert reader.get(reverse("tournaments:event-new")).status_code == 200


def test_a_hall_is_offered_no_demo(settings):
    settings.ONLY_HERE = False
    reader = opened(invite_first_organiser())
    assert 'name="demo"' not in reader.get(HERE).content.decode()
    reader.post(HERE, FORM | {"demo": "on"})
    assert not Event.objects.exists()


@pytest.mark.parametrize("sign_up", ["open", "invitation"])
def test_nobody_is_first_without_the_link(settings, sign_up):
    settings.SIGN_UP = sign_up
    token = invite_first_organiser()
    phone = browser()
    assert phone.get(HERE).status_code == 404
    assert phone.post(HERE, FORM).status_code == 404
    assert phone.get(f"{HERE}{'x' * 32}/").status_code == 404
    assert phone.get(f"/accounts/invitation/{token}/").status_code == 404  # of another kind
    form = {"email": "nora@example.org", "name": "Nora", "password1": "sala-grande-9"}
    assert "You need an invitation" in phone.post("/accounts/signup/", form).content.decode()
    assert not User.objects.exists()
    opened(token).post(HERE, FORM)
    assert User.objects.get().name == "Marta"
    phone.post("/accounts/signup/", form)
    assert User.objects.count() == (2 if sign_up == "open" else 1)


def test_where_somebody_signs_in_there_is_no_link(capsys):
    token = invite_first_organiser()
    make.user("anna@example.org")
    assert browser().get(f"{HERE}{token}/").status_code == 404
    assert "/first/" not in printed(capsys)
    with pytest.raises(RuleError):
        create_first_organiser(token_hash=token_hash(token), email=ADDRESS, **FORM)
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
    token = create_invitation()
    invite_first_organiser()
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
        ({"email": "Gone@example.org"}, "email address already exists"),
    ],
)
def test_what_can_not_be_is_said_at_its_field(change, told):
    make.user("gone@example.org", is_active=False)
    reader = opened(invite_first_organiser())
    answer = reader.post(HERE, FORM | change)
    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert User.objects.count() == 1
    assert reader.post(HERE, FORM).status_code == 302  # the link was not used up


def test_an_address_of_ones_own_is_to_be_proved_where_mail_is_set_up():
    opened(invite_first_organiser()).post(HERE, FORM | {"email": "Marta@Example.org"})
    assert not EmailAddress.objects.get(email="marta@example.org").verified


@pytest.mark.django_db(transaction=True)
def test_of_twenty_at_once_one_is_first():
    token = token_hash(invite_first_organiser())

    def try_it(number):
        try:
            create_first_organiser(token_hash=token, email=f"p{number}@example.org", **FORM)
        except RuleError as refused:
            return refused.code
        return "first"

    answers = at_once(try_it, 20)
    assert answers.count("first") == 1
    assert set(answers) == {"first", "invitation_gone"}
    assert User.objects.count() == 1


def test_the_organiser_makes_an_event_and_the_first_player_has_a_link():
    reader = opened(invite_first_organiser())
    reader.post(HERE, FORM)
    event = make.open_event(make.Actor(user=User.objects.get()))
    (entry,) = make.players_more(event, ["Ada"], make.Actor(user=User.objects.get()))
    page = url("manage-player-link", event, entry.number)
    made = reader.post(page, follow=True).content.decode()
    (path,) = {*re.findall(r"/p/[\w-]+/", made)}
    player = browser()
    player.get(path)
    assert entry.name in player.get(url("me", event)).content.decode()
    assert Event.objects.count() == 1


def test_the_label_of_the_name_is_in_the_readers_language(known):
    reader = Client(headers={"accept-language": "it"})
    reader.force_login(known)
    page = reader.get("/accounts/me/").content.decode()
    assert re.findall(r'<label for="id_name">\s*(\w+)', page) == ["Nome"]
