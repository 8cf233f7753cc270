"""The second factor: codes of an app, recovery codes and passkeys, and a site that demands one."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.management import CommandError, call_command
from django.test import Client
from knox.models import AuthToken

from accounts.models import User
from accounts.second_factor import SecondFactorAdapter
from config.settings import authenticator_types
from tests import factories as make
from tests.database import migrated
from tournaments.models import StaffRole

pytestmark = pytest.mark.django_db


PASSWORD = "girone-test"
NOW = 1_800_000_000
AT = "/accounts/second-factor/"


def code(secret, seconds=0):
    return format_hotp_value(hotp_value(secret, (NOW + seconds) // 30))


def with_password(email="anna@example.org", **extra):
    """Return a browser that has sent the right password, and the answer."""
    reader = Client(headers={"accept-language": "en"}, **extra)
    return reader, reader.post("/accounts/login/", {"login": email, "password": PASSWORD})


def set_up(email="anna@example.org"):
    """Set up an app by the pages; return the browser, the secret and the recovery codes."""
    reader, _ = with_password(email)
    reader.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = reader.get(f"{AT}totp/activate/").content.decode()
    secret = re.search(r'class="key">(\w+)<', page)[1]
    done = reader.post(f"{AT}totp/activate/", {"code": code(secret)})
    codes = reader.get(done.url).content.decode()
    return reader, secret, re.findall(r"<code>(\d{8})</code>", codes)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Stop the clock of the codes; return what sets it."""

    def move(seconds):
        stopped = SimpleNamespace(time=lambda: NOW + seconds)
        monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", stopped)

    move(0)
    return move


@pytest.fixture
def anna():
    return make.user("anna@example.org")


ROOT = Path(__file__).resolve().parents[2]


def test_an_app_is_set_up_and_asked_for(anna, clock):
    _, secret, codes = set_up()
    assert len(codes) == 10
    reader, answer = with_password()
    assert answer.url == f"{AT}authenticate/"
    assert reader.get("/accounts/me/").status_code == 302
    wrong = reader.post(answer.url, {"code": "000000"})
    assert "Incorrect code" in wrong.content.decode()
    clock(60)
    assert reader.post(answer.url, {"code": code(secret, 60)}).status_code == 302
    assert reader.get("/accounts/me/").status_code == 200


def test_a_code_counts_half_a_minute_early_and_late_and_once(anna, clock):
    _, secret, _codes = set_up()
    for moment, offset, right in ((300, 30, True), (600, -30, True), (900, 60, False)):
        clock(moment)
        reader, answer = with_password()
        sent = reader.post(answer.url, {"code": code(secret, moment + offset)})
        assert (sent.status_code == 302) == right, offset
    clock(1200)
    for moment, right in ((1200, True), (1200, False), (1229, False), (1231, False)):
        clock(moment)
        reader, answer = with_password()
        sent = reader.post(answer.url, {"code": code(secret, 1200)})
        assert (sent.status_code == 302) == right, moment


def test_a_used_code_stays_used_when_allauth_forgets_it(anna, clock, monkeypatch):
    _, secret, _codes = set_up()
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.TOTP._mark_code_used", lambda *_: True)
    clock(300)
    for right in (True, False):
        reader, answer = with_password()
        sent = reader.post(answer.url, {"code": code(secret, 300)})
        assert (sent.status_code == 302) == right


def test_a_recovery_code_stands_in_once(anna):
    _, _secret, codes = set_up()
    for right in (True, False):
        reader, answer = with_password()
        sent = reader.post(answer.url, {"code": codes[0]})
        assert (sent.status_code == 302) == right


def test_guessing_codes_ends(anna, clock):
    _, secret, _codes = set_up()
    clock(300)
    reader, answer = with_password()
    for number in range(10):
        reader.post(answer.url, {"code": f"{number:06}"})
    late = reader.post(answer.url, {"code": code(secret, 300)})
    assert "Too many" in late.content.decode()


def test_the_database_holds_no_secret_in_clear(anna, settings):
    _, secret, codes = set_up()
    kept = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in kept
    assert not any(one in kept for one in codes)
    app = Authenticator.objects.get(type="totp")
    assert SecondFactorAdapter().decrypt(app.data["secret"]) == secret
    old, settings.SECRET_KEY = settings.SECRET_KEY, "x" * 50
    strange = {SecondFactorAdapter().decrypt(app.data["secret"]) for _ in range(3)}
    assert len(strange) == 3
    assert secret not in strange
    settings.SECRET_KEY_FALLBACKS = [old]
    assert SecondFactorAdapter().decrypt(app.data["secret"]) == secret


def test_the_picture_of_the_key_is_drawn_here(anna):
    reader, _ = with_password()
    reader.post("/accounts/reauthenticate/", {"password": PASSWORD})
    answer = reader.get(f"{AT}totp/activate/")
    page = answer.content.decode()
    assert 'src="data:image/svg+xml;base64,' in page
    assert "img-src 'self' data:" in answer["Content-Security-Policy"]
    assert not re.search(r"<script(?![^>]*\bsrc=)|style=|https?://(?!testserver)", page)


def test_what_changes_the_way_in_asks_once_more(anna, clock):
    reader, secret, _codes = set_up()
    session = reader.session
    for method in session["account_authentication_methods"]:
        method["at"] = 0
    session.save()
    for asks in ("/accounts/reauthenticate/", f"{AT}reauthenticate/"):
        assert "Is it you?" in reader.get(asks).content.decode()
    asked = reader.get(f"{AT}totp/deactivate/")
    assert asked.status_code == 302
    assert "/reauthenticate/?next=" in asked.url
    reader.post(f"{AT}totp/deactivate/")
    assert User.objects.get(pk=anna.pk).has_second_factor
    clock(300)
    reader.post(asked.url, {"code": code(secret, 300), "password": PASSWORD})  # goes on with it
    assert not User.objects.get(pk=anna.pk).has_second_factor


def test_the_administrator_removes_a_lost_one(anna, capsys):
    set_up()
    assert with_password()[1].url.startswith(AT)
    call_command("remove_second_factor", "Anna@example.org")
    assert capsys.readouterr().out.strip() == "anna@example.org: 2"
    assert with_password()[0].get("/accounts/me/").status_code == 200
    with pytest.raises(CommandError) as caught:
        call_command("remove_second_factor", "nobody@example.org")
    assert caught.value.returncode == 2


def test_a_token_of_the_api_needs_no_code(anna, settings):
    settings.SECOND_FACTOR = "demanded"
    token = AuthToken.objects.create(user=anna)[1]
    set_up()
    header = {"authorization": f"Token {token}"}
    assert Client().get("/api/v1/events/", headers=header).status_code == 200


def test_the_pages_open_in_both_languages(anna):
    reader, _secret, _codes = set_up()
    parts = ("", "totp/deactivate/", "recovery-codes/", "recovery-codes/generate/")
    for language in ("it", "en"):
        for part in parts:
            answer = reader.get(AT + part, headers={"accept-language": language})
            assert answer.status_code == 200
            assert f'lang="{language}"' in answer.content.decode()


def test_passkeys_need_https_and_a_name():
    assert "webauthn" in authenticator_types(True, ["girone.example"])
    for https, hosts in (
        (False, ["girone.example"]),
        (True, ["localhost", "192.0.2.4", "[::1]", "*"]),
    ):
        assert authenticator_types(https, hosts) == ["totp", "recovery_codes"]


@pytest.mark.deep
def test_with_https_and_a_name_the_pages_offer_passkeys(tmp_path):
    migrated(tmp_path / "db.sqlite3")
    code = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "from accounts.models import User\n"
        "User.objects.create_user('anna@example.org', 'girone-test', name='Anna')\n"
        "reader = Client(headers={'host': 'girone.example', 'accept-language': 'en'})\n"
        "page = reader.get('/accounts/login/', secure=True).content.decode()\n"
        "print('Use a passkey' in page)\n"
        "data = {'login': 'anna@example.org', 'password': 'girone-test'}\n"
        "reader.post('/accounts/login/', data, secure=True)\n"
        "reader.post('/accounts/reauthenticate/', data, secure=True)\n"
        "for part in ('', 'webauthn/', 'webauthn/add/'):\n"
        "    answer = reader.get('/accounts/second-factor/' + part, secure=True)\n"
        "    print(answer.status_code, 'asskey' in answer.content.decode())\n"
        'print(\'"id": "girone.example"\' in answer.content.decode())\n'
    )
    variables = {
        **os.environ,
        "ENV_FILE": "",
        "DEBUG": "0",
        "HTTPS": "1",
        "ALLOWED_HOSTS": "girone.example",
        "SECRET_KEY": "N3ver-use-this-one-outside-of-tests-0123456789-abcdefghij",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    variables.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert done.stdout.split("\n")[:-1] == ["True", *["200 True"] * 3, "True"], done.stderr


STAFF_PAGES = ("manage/", "desk/", "log/", "manage/staff/", "checks/", "decklists/")


def demand(settings, reader):
    """Demand it from now on, as a site does that is started with other settings."""
    settings.SECOND_FACTOR = "demanded"
    reader.handler.load_middleware()


@pytest.mark.deep
@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_a_site_may_demand_it_of_its_staff(by, settings, role):
    event = make.playing(by, 4)
    make.staff(event, role)
    person = event.staff.latest("pk").user
    reader, _ = with_password(person.email)
    could = [p for p in STAFF_PAGES if reader.get(f"/events/{event.slug}/{p}").status_code == 200]
    assert could
    demand(settings, reader)
    for part in could:
        assert reader.get(f"/events/{event.slug}/{part}").url == AT, part
    assert "Set up a second factor" in reader.get(AT).content.decode()
    assert reader.get(f"/events/{event.slug}/").status_code == 200
    reader, *_ = set_up(person.email)
    for part in could:
        assert reader.get(f"/events/{event.slug}/{part}").status_code == 200, part


def test_the_admin_site_asks_for_it_too(settings):
    User.objects.create_superuser("boss@example.org", PASSWORD, name="Boss")
    reader, _ = with_password("boss@example.org")
    assert reader.get("/admin/").status_code == 200
    demand(settings, reader)
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


def test_organisers_are_told_gently_and_led_back_to_the_event(by, settings):
    event = make.event(by)
    reader, _ = with_password(by.user.email)
    staff = f"/events/{event.slug}/manage/staff/"
    link = re.search(rf'href="({AT}\?next=[^"]+)"', reader.get(staff).content.decode())[1]
    assert reader.get(link).url == AT
    assert f'href="{staff}"' in reader.get(AT).content.decode()
    page = f"/events/{event.slug}/manage/staff/"
    assert "Protect this event with a second factor." in reader.get(page).content.decode()
    reader, *_ = set_up(by.user.email)
    assert "Protect this event with a second factor." not in reader.get(page).content.decode()


def test_where_it_is_demanded_nothing_is_written_without(by, settings):
    event = make.event(by)
    settings.SECOND_FACTOR = "demanded"
    reader, _ = with_password(by.user.email)
    refused = f"/events/{event.slug}/manage/"
    assert reader.get(refused).url == AT
    assert f'href="{refused}"' in reader.get(AT).content.decode()
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
    assert "Set up a second factor" in reader.get("/me/").content.decode()


@pytest.mark.parametrize(
    "path", ["https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:1"]
)
def test_the_way_back_stays_on_this_site(anna, path):
    reader, _ = with_password()
    assert reader.get(AT, {"next": path}).url == AT
    page = reader.get(AT).content.decode()
    assert "evil.test" not in page
    assert "javascript:" not in page
    assert ">Back<" not in page
