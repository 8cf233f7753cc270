"""Random tokens of secret links, stored as hashes."""

import secrets
from hashlib import sha256

TOKEN_BYTES = 24


def new_token() -> str:
    """Return a URL-safe token of 192 random bits."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Return the hash stored for a token: its SHA-256 in hexadecimal."""
    return sha256(token.encode()).hexdigest()
