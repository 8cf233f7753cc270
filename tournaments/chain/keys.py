"""Signatures of log lines by a key derived from ``SECRET_KEY``, which is in no database.

Keys derived from ``SECRET_KEY_FALLBACKS`` are accepted too.
"""

import hmac
from collections.abc import Mapping
from hashlib import sha256

from django.conf import settings

from rules.events.log_chain import key_name, signature


def signed(number: int, digest: str) -> str:
    """Return the signature of a line as "key name:HMAC"."""
    key = _derived(settings.SECRET_KEY)
    return f"{key_name(key)}:{signature(key, number, digest)}"


def may_be_right(number: int, digest: str, found: str) -> bool:
    """Return whether a signature is valid, or made with a key that is unknown here."""
    name, _colon, stored = found.partition(":")
    key = known_keys().get(name)
    if key is None:
        return bool(name and stored)
    return hmac.compare_digest(stored.encode(), signature(key, number, digest).encode())


def known_keys() -> Mapping[str, bytes]:
    """Return by name the keys whose signatures can be checked here."""
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return {key_name(key): key for key in (_derived(str(secret)) for secret in secrets)}


def _derived(secret: str) -> bytes:
    return sha256(b"girone event log\n" + secret.encode()).digest()
