"""Signatures of log lines by a key derived from ``SECRET_KEY``, which is in no database.

Keys derived from ``SECRET_KEY_FALLBACKS`` are accepted too, and those of other sites that the
operator has accepted (``accepted``).
"""

import hmac
from collections.abc import Mapping
from hashlib import sha256

from django.conf import settings

from rules.events.log_chain import key_name, signature
from tournaments.chain.accepted import accepted_keys

Keys = Mapping[str, bytes]
"""Keys by name."""


def signed(number: int, digest: str) -> str:
    """Return the signature of a line as "key name:HMAC"."""
    key = _derive_key(settings.SECRET_KEY)
    return f"{key_name(key)}:{signature(key, number, digest)}"


def signer_of(found: str) -> str:
    """Return the name of the key in a signature, empty without one."""
    name, _colon, stored = found.partition(":")
    return name if stored else ""


def is_signed(number: int, digest: str, found: str, keys: Keys) -> bool:
    """Return whether a signature is valid by one of these keys."""
    name, _colon, stored = found.partition(":")
    key = keys.get(name)
    if key is None:
        return False
    return hmac.compare_digest(stored.encode(), signature(key, number, digest).encode())


def own_keys() -> dict[str, bytes]:
    """Return this site's keys by name, that in use first."""
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return {key_name(key): key for key in (_derive_key(str(secret)) for secret in secrets)}


def known_keys() -> dict[str, bytes]:
    """Return by name the keys whose signatures can be checked here; reads files."""
    return accepted_keys() | own_keys()


def _derive_key(secret: str) -> bytes:
    return sha256(b"girone event log\n" + secret.encode()).digest()
