"""Settings of the second factor: allauth's codes and passkeys."""

from collections.abc import Sequence
from ipaddress import ip_address

from config import env

__all__ = [
    "MFA_ADAPTER",
    "MFA_ALLOW_UNVERIFIED_EMAIL",
    "MFA_FORMS",
    "MFA_RATE_LIMITS",
    "MFA_TOTP_TOLERANCE",
    "SECOND_FACTOR",
]

SECOND_FACTOR = env.choice("SECOND_FACTOR", "offered", ("offered", "demanded"))
MFA_ADAPTER = "accounts.second_factor.Adapter"
MFA_FORMS = {
    "authenticate": "accounts.second_factor_forms.Authenticate",
    "reauthenticate": "accounts.second_factor_forms.Reauthenticate",
    "activate_totp": "accounts.second_factor_forms.Activate",
    "add_webauthn": "accounts.second_factor_forms.AddPasskey",
    "edit_webauthn": "accounts.second_factor_forms.RenamePasskey",
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
