"""Settings of accounts: sign-up, mail, and the second factor (allauth's codes and passkeys)."""

from collections.abc import Sequence
from ipaddress import ip_address

from config import env

__all__ = [
    "ACCOUNT_CHANGE_EMAIL",
    "ACCOUNT_EMAIL_NOTIFICATIONS",
    "ACCOUNT_EMAIL_SUBJECT_PREFIX",
    "ACCOUNT_EMAIL_VERIFICATION",
    "DEFAULT_FROM_EMAIL",
    "EMAIL_TIMEOUT",
    "MFA_ADAPTER",
    "MFA_ALLOW_UNVERIFIED_EMAIL",
    "MFA_FORMS",
    "MFA_RATE_LIMITS",
    "MFA_TOTP_TOLERANCE",
    "PASSWORD_RESET_TIMEOUT",
    "SECOND_FACTOR",
    "SENDS_MAIL",
    "SIGN_UP",
]

# Where mail is set up an address is checked before it is used, so signing up answers the same
# whether there is an account or not; a venue often has no mail.
SENDS_MAIL = bool(env.text("EMAIL_URL"))
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SENDS_MAIL else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = SENDS_MAIL  # a changed password or address is told to its owner
ACCOUNT_CHANGE_EMAIL = True  # one address; a new one takes its place once it is checked
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Girone: "
PASSWORD_RESET_TIMEOUT = 3600
# Without mail an open sign-up has to say that an address is taken; by invitation it is no help
# to anybody who only wants to know.
SIGN_UP = env.choice("SIGN_UP", "open", ("open", "invitation"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Girone <girone@localhost>")

SECOND_FACTOR = env.choice("SECOND_FACTOR", "offered", ("offered", "demanded"))
MFA_ADAPTER = "accounts.second_factor.adapter.Adapter"
MFA_FORMS = {
    "authenticate": "accounts.second_factor.forms.Authenticate",
    "reauthenticate": "accounts.second_factor.forms.Reauthenticate",
    "activate_totp": "accounts.second_factor.forms.Activate",
    "add_webauthn": "accounts.second_factor.forms.AddPasskey",
    "edit_webauthn": "accounts.second_factor.forms.RenamePasskey",
}
# Without mail no address is ever checked; with mail nobody signs in before it is, so nobody
# keeps the owner of an address out. A lost one is removed by `manage.py remove_second_factor`.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1  # half a minute either way: in a hall no clock is set by the internet
MFA_RATE_LIMITS = {"webauthn_login": "200/m/ip"}


def types(https: bool, hosts: Sequence[str]) -> list[str]:
    """Return the kinds of second factor: passkeys need HTTPS and belong to the name of a site."""
    usual = ["totp", "recovery_codes"]
    return [*usual, "webauthn"] if https and any(map(is_domain, hosts)) else usual


def is_domain(host: str) -> bool:
    """Say whether a host is a name with a dot, and no address of the network."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return "." in host.strip(".")
    return False
