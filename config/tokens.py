"""Tokens of links that let somebody in: made from chance, kept as a hash."""

import secrets
from hashlib import sha256

TOKEN_BYTES = 24


def new_token() -> str:
    """Return a token of 192 random bits, fit for a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Return what is stored of a token: its SHA-256 in hexadecimal."""
    return sha256(token.encode()).hexdigest()
