"""What all tests share: quick passwords, and no memory of the last test's rate limits."""

from typing import Any

import pytest
from django.core.cache import cache
from hypothesis import settings as hypothesis

# A busy machine is no fault of the code: no test fails for the time that an example takes.
hypothesis.register_profile("girone", deadline=None)
hypothesis.load_profile("girone")


@pytest.fixture(autouse=True)
def _quick_and_forgetful(settings: Any) -> None:
    """Hash passwords quickly, and forget the last test's rate limits."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    cache.clear()
