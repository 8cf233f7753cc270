"""The key by which this installation vouches for the head of a log; it is in no database.

It follows from the site's SECRET_KEY, which stands in the environment or in a file of mode 0600.
A key that was exchanged still counts while it is one of SECRET_KEY_FALLBACKS.
"""

import hmac
from collections.abc import Mapping
from hashlib import sha256

from django.conf import settings

from rules.events.log_chain import key_name, signature


def signed(number: int, digest: str) -> str:
    """Return this site's signature of a line: the name of the key, and its HMAC."""
    key = _derived(settings.SECRET_KEY)
    return f"{key_name(key)}:{signature(key, number, digest)}"


def may_be_right(number: int, digest: str, found: str) -> bool:
    """Say whether a signature is right, or of a key that is not known here."""
    name, _colon, stored = found.partition(":")
    key = known_keys().get(name)
    if key is None:
        return bool(name and stored)
    return hmac.compare_digest(stored.encode(), signature(key, number, digest).encode())


def known_keys() -> Mapping[str, bytes]:
    """Return the keys whose signatures can be checked here, by their names."""
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return {key_name(key): key for key in (_derived(str(secret)) for secret in secrets)}


def _derived(secret: str) -> bytes:
    return sha256(b"girone event log\n" + secret.encode()).digest()
