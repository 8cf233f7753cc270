"""Answers kept by the key of their request: what is sent twice takes effect once."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from tournaments.models import GivenAnswer

IDEMPOTENCY_KEY = "Idempotency-Key"
LONGEST_KEY = 200
LIFETIME = timedelta(hours=48)


def given_answer(
    user: Any, key: str, fingerprint: str, reused: Exception
) -> tuple[GivenAnswer, bool]:
    """Return the stored answer to an Idempotency-Key, and whether it is new; at most four queries.

    A new one is to be filled in by the transaction that has the effect, which the caller begins
    before. Raises ``reused`` if the key belongs to a request with another fingerprint.
    """
    GivenAnswer.objects.filter(user=user, at__lt=timezone.now() - LIFETIME).delete()
    found, is_new = GivenAnswer.objects.get_or_create(
        user=user, key=key, defaults={"request_hash": fingerprint}
    )
    if found.request_hash != fingerprint:
        raise reused
    return found, is_new
