"""Every page of accounts, one after the other, as a browser comes to it.

A walk yields the browser's page each time another page of the site is open in it; whoever asks
for the next one may have looked at it, resized it and changed its colours, and nothing more.
"""

import re
from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.management import call_command

from accounts.invitations import create_invitation
from tests import factories as make
from tests.journeys.steps import follow
from tests.mails import sent_mails

PASSWORD, OTHER = "girone-test", "sala-piccola-8"
AT = "/accounts/second-factor/"
EMAIL = "anna@example.org"


def seen(page: Any, *paths: str) -> Iterator[Any]:
    """Open pages one after the other."""
    for path in paths:
        page.goto(path)
        yield page


def send(page: Any, **typed: str) -> Any:
    """Fill the form of the page and send it."""
    for name, value in typed.items():
        page.fill(f"main [name={name}]", value)
    follow(page.locator("main form.panel").locator(".button.primary, .button.danger").first)
    return page


def sign_in(page: Any, email: str = EMAIL, password: str = PASSWORD) -> Any:
    """Type address and password."""
    page.goto("/accounts/login/")
    return send(page, login=email, password=password)


def code_now(secret: str) -> str:
    """Return what an app shows at this moment."""
    return format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))


def by_invitation(page: Any, settings: Any) -> Iterator[Any]:
    """Sign up where that takes an invitation."""
    settings.SIGN_UP = "invitation"
    yield from seen(page, "/accounts/signup/", "/accounts/invitation/used/")
    path = f"/accounts/invitation/{create_invitation()}/"
    yield from seen(page, path)
    yield send(page, email="nora@example.org", name="Nora", password1="123")
    yield send(page, password1=OTHER)


def without_mail(page: Any, capsys: Any) -> Iterator[Any]:
    """Ask for what a site without mail has not got, and follow the administrator's link."""
    make.user(EMAIL)
    yield from seen(page, "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")
    yield from seen(page, "/accounts/confirm-email/", "/accounts/password/reset/key/1-used/")
    capsys.readouterr()
    call_command("password_link", EMAIL)
    link = capsys.readouterr().out.strip()
    yield from seen(page, "/" + link.split("/", 3)[3])
    yield send(page, password1=OTHER, password2=OTHER)
    yield sign_in(page, password=OTHER)
    yield from seen(page, "/accounts/me/", "/accounts/email/", "/accounts/password/change/")
    yield send(page, oldpassword="wrong", password1=PASSWORD, password2=PASSWORD)
    yield from seen(page, "/accounts/logout/", "/accounts/inactive/")


def with_mail(page: Any, settings: Any) -> Iterator[Any]:
    """Sign up, check the address, forget the password, and change the address."""
    settings.SENDS_MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"

    def mailed() -> str:
        return re.search(r"https?://[^/]+(/\S+/)", sent_mails()[-1].body)[1]

    page.goto("/accounts/signup/")
    yield send(page, email=EMAIL, name="Anna", password1=PASSWORD)
    yield from seen(page, mailed(), "/accounts/confirm-email/gone/")
    page.goto(mailed())
    yield send(page)
    yield sign_in(page, "nobody@example.org")
    yield from seen(page, "/accounts/password/reset/")
    yield send(page, email=EMAIL)
    yield from seen(page, mailed())
    yield send(page, password1=PASSWORD, password2=PASSWORD)
    if "login" not in page.url:
        page.goto("/accounts/login/")
    yield sign_in(page)
    yield from seen(page, "/accounts/email/")
    yield send(page, email="anna.nuova@example.org")
    yield from seen(page, mailed())
    assert EmailAddress.objects.filter(email=EMAIL, verified=True).exists()


def second_factor(page: Any) -> Iterator[Any]:
    """Set up an app, sign in with it and show once more who it is."""
    anna = make.user(EMAIL)
    sign_in(page)
    yield from seen(page, AT, f"{AT}totp/activate/")
    yield send(page, password=PASSWORD)  # once more, and on to where it was asked
    secret = page.locator("code.key").inner_text()
    yield send(page, code="000000")
    yield send(page, code=code_now(secret))
    yield from seen(page, AT, f"{AT}recovery-codes/generate/", f"{AT}totp/deactivate/")
    page.context.clear_cookies()
    yield sign_in(page)
    yield send(page, code="000000")
    codes = Authenticator.objects.get(user=anna, type="recovery_codes").wrap().get_unused_codes()
    send(page, code=codes[0])
    yield from seen(page, "/accounts/me/", "/accounts/reauthenticate/", f"{AT}reauthenticate/")
    yield send(page, code="000000")


def passkeys(page: Any) -> Iterator[Any]:
    """Add a passkey, rename it, sign in with it, and remove it."""
    make.user(EMAIL)
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": device})
    yield sign_in(page)
    yield from seen(page, AT, f"{AT}webauthn/", f"{AT}webauthn/add/")
    yield send(page, password=PASSWORD)
    page.fill("[name=name]", "Telefono")
    if not page.locator("[name=passwordless]").is_checked():
        page.check("[name=passwordless]")
    follow(page.locator("#mfa_webauthn_add"))
    yield page
    yield from seen(page, AT, f"{AT}webauthn/")
    key = Authenticator.objects.get(type="webauthn")
    yield from seen(page, f"{AT}webauthn/keys/{key.pk}/edit/")
    yield send(page, name="Telefono di Anna")
    yield from seen(page, f"{AT}webauthn/reauthenticate/")
    page.context.clear_cookies()
    page.goto("/accounts/login/")
    yield page
    follow(page.locator("#passkey_login"))
    yield page
    assert page.locator("nav.who bdi").inner_text()
    page.context.clear_cookies()
    yield sign_in(page)  # the password alone asks for the passkey
    assert page.url.endswith(f"{AT}authenticate/")
    follow(page.locator("#mfa_webauthn_authenticate"))
    assert page.locator("nav.who bdi").inner_text()
    yield from seen(page, f"{AT}webauthn/keys/{key.pk}/remove/")
    follow(page.locator("main a[href*='webauthn/reauthenticate/']"))
    follow(page.locator("#mfa_webauthn_reauthenticate"))
    yield page
    yield send(page)
    assert not Authenticator.objects.filter(type="webauthn").exists()


def staff(page: Any, by: Any) -> Iterator[Any]:
    """Invite somebody to the staff, who accepts."""
    event = make.event(by)
    sign_in(page, by.user.email)
    yield from seen(page, f"/events/{event.slug}/manage/staff/")
    page.fill("main [name=email]", EMAIL)
    follow(page.locator("main form:has([name=email]) .button.primary").first)
    yield page
    link = re.search(r'value="https?://[^/]+(/invitations/[\w-]+/)"', page.content())[1]
    page.context.clear_cookies()
    yield from seen(page, link)
    make.user(EMAIL)
    sign_in(page)
    yield from seen(page, link)
