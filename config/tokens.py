"""Random tokens of secret links, stored as hashes."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

TOKEN_BYTES = 24


def new_token() -> str:
    """Return a URL-safe token of 192 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def derived_token(secret: str, *parts: int) -> str:
    """Return the URL-safe token of 192 bits derived from a secret and numbers.

    Many tokens derive from one secret; none of them discloses another.
    """
    digest = hmac.digest(secret.encode(), repr(parts).encode(), "sha256")[:TOKEN_BYTES]
    return urlsafe_b64encode(digest).decode()


def hash_of(token: str) -> str:
    """Return the hash stored for a token: its SHA-256 in hexadecimal."""
    return sha256(token.encode()).hexdigest()
