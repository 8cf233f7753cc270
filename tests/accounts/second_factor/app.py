"""An app of one-time codes for the tests, and the pages on which it is set up."""

import re

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.test import Client

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
