"""Settings of accounts: sign-up, mail, and the second factor (allauth's codes and passkeys)."""

from collections.abc import Sequence
from ipaddress import ip_address

from config import env

__all__ = [
    "ACCOUNT_CHANGE_EMAIL",
    "ACCOUNT_EMAIL_NOTIFICATIONS",
    "ACCOUNT_EMAIL_SUBJECT_PREFIX",
    "ACCOUNT_EMAIL_VERIFICATION",
    "ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE",
    "CEILINGS",
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

# With mail an address is verified before use, so that sign-up responds the same whether it has an
# account or not; a venue often has no mail.
SENDS_MAIL = bool(env.text("EMAIL_URL"))
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if SENDS_MAIL else "none"
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_EMAIL_NOTIFICATIONS = SENDS_MAIL  # of changed passwords and addresses
ACCOUNT_CHANGE_EMAIL = True  # one address; a new one replaces it once verified
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Girone: "
PASSWORD_RESET_TIMEOUT = 3600
# Without mail an open sign-up must say that an address is taken, which invitations keep from
# strangers.
SIGN_UP = env.choice("SIGN_UP", "open", ("open", "invitation"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Girone <girone@localhost>")

# How much one account may hold (accounts.ceilings); programs made by `api_token --create` and the
# site's staff have no ceiling.
CEILINGS = {
    "events": env.number("CEILING_EVENTS", 200),
    "events_an_hour": env.number("CEILING_EVENTS_AN_HOUR", 30),
    "restores_a_day": env.number("CEILING_RESTORES_A_DAY", 5),
    "formats": env.number("CEILING_FORMATS", 50),
    "catalogues": env.number("CEILING_CATALOGUES", 20),
    "megabytes": env.number("CEILING_MEGABYTES", 200),
}

SECOND_FACTOR = env.choice("SECOND_FACTOR", "offered", ("offered", "demanded"))
MFA_ADAPTER = "accounts.second_factor.adapter.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "accounts.second_factor.forms.SecondFactorForm",
    "reauthenticate": "accounts.second_factor.forms.ConfirmIdentityForm",
    "activate_totp": "accounts.second_factor.forms.ActivateAuthenticatorForm",
    "add_webauthn": "accounts.second_factor.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.second_factor.forms.RenamePasskeyForm",
}
# Without mail no address is ever verified; with mail nobody signs in before theirs is. A lost
# second factor is removed by `manage.py remove_second_factor`.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1  # steps of 30 s either way: clocks in a hall may be off
MFA_RATE_LIMITS = {"webauthn_login": "200/m/ip"}


def authenticator_types(https: bool, hosts: Sequence[str]) -> list[str]:
    """Return allauth's authenticator types: codes, and passkeys if the site can use them.

    Passkeys need HTTPS and a domain name. hosts: ``ALLOWED_HOSTS``.
    """
    usual = ["totp", "recovery_codes"]
    return [*usual, "webauthn"] if https and any(map(is_domain, hosts)) else usual


def is_domain(host: str) -> bool:
    """Return whether a host is a domain name with a dot, not an IP address."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return "." in host.strip(".")
    return False
