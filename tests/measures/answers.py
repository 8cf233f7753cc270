"""Measure whether the time of an answer tells who has an account.

``python -m tests.measures.answers [pairs]`` asks, on a site that sends mail (and sends none of
it) and on one without mail, for each page with the address of an account and with one nobody
has, in turns, and prints the medians of both. Without mail sign-up names a taken address, which
the docs say, so it is left out there. It answers 1 where the medians differ by 20 ms or more.
The milliseconds are those of the processor: what else the machine does is not in them.
"""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

Form = Callable[[str], tuple[str, dict[str, str]]]
"""Where a form with an address is sent, and what it holds."""
LIMIT = 20.0
"""Milliseconds of the processor by which the medians may differ."""
PAIRS = 200
PASSWORD = "sala-grande-9"
KNOWN = "known@example.org"
WITHOUT_MAIL = {"sign-in": 200, "reset": 409}
"""The pages that a site without mail is asked for, and the status of either answer."""


def prepare(folder: str) -> None:
    """Set Django up on an empty database of its own, without the limits that stop guessing."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{folder}/answers.sqlite3",
        "EMAIL_URL": "dummymail://",
        "DEBUG": "0",
        "ALLOWED_HOSTS": "testserver",
        "SECRET_KEY": "only-for-measuring-" * 4,
    }
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    logging.disable()  # each refusal would be a line
    settings.ACCOUNT_RATE_LIMITS = False
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    call_command("migrate", verbosity=0)


def forms() -> dict[str, Form]:
    """Return the pages: each names where a form with an address is sent, and what it holds."""
    sign_up = {"name": "Somebody", "password1": PASSWORD}
    return {
        "sign-up": lambda email: ("/accounts/signup/", {"email": email, **sign_up}),
        "sign-in": lambda email: ("/accounts/login/", {"login": email, "password": "wrong-9"}),
        "reset": lambda email: ("/accounts/password/reset/", {"email": email}),
    }


def seconds(path: str, body: dict[str, str], due: int | None) -> tuple[float, int]:
    """Send a form as a browser that was never here; return its milliseconds and the status.

    Raises RuntimeError where the form was not taken, unless that status is due.
    """
    from django.core.cache import cache
    from django.test import Client

    cache.clear()  # the mails of the hour
    reader = Client()
    begun = process_time()
    status = reader.post(path, body).status_code
    taken = (process_time() - begun) * 1000
    if status >= 400 and status != due:
        raise RuntimeError(f"{path} answered {status}: nothing was measured")
    return taken, status


def measure(pairs: int) -> Iterator[tuple[str, float, float, bool]]:
    """Yield for each page its name, both medians in milliseconds, and if all statuses agree."""
    from django.test import override_settings

    for name, form in forms().items():
        yield name, *medians(name, form, pairs)
    without = {"SENDS_MAIL": False, "ACCOUNT_EMAIL_VERIFICATION": "none"}
    with override_settings(**without, ACCOUNT_EMAIL_NOTIFICATIONS=False):
        for name, due in WITHOUT_MAIL.items():
            yield f"{name} without mail", *medians(name, forms()[name], pairs, due)


def medians(name: str, form: Form, pairs: int, due: int | None = None) -> tuple[float, float, bool]:
    """Return both medians of a page in milliseconds, and if all statuses agree."""
    times: dict[bool, list[float]] = {True: [], False: []}
    statuses = set()
    for number in range(-3, pairs):  # the first three warm up
        for known in (True, False) if number % 2 else (False, True):
            email = KNOWN if known else f"{name}-{number}@example.org"
            taken, status = seconds(*form(email), due)
            statuses.add(status)
            if number >= 0:
                times[known].append(taken)
    return median(times[True]), median(times[False]), len(statuses) == 1


def tells_who(known: float, unknown: float, same: bool) -> bool:
    """Say whether two medians, or statuses that are not the same, tell who has an account."""
    return abs(known - unknown) >= LIMIT or not same


def main(pairs: int = PAIRS) -> int:
    """Print a line for each page; return 1 where an answer tells who has an account."""
    with TemporaryDirectory() as folder:
        prepare(folder)
        from allauth.account.models import EmailAddress

        from accounts.models import User

        person = User.objects.create_user(KNOWN, PASSWORD, name="Known")
        EmailAddress.objects.create(user=person, email=KNOWN, primary=True, verified=True)
        told = 0
        for name, known, unknown, same in measure(pairs):
            tells = tells_who(known, unknown, same)
            told += tells
            sys.stdout.write(
                f"| {name} | {pairs} pairs | known {known:.1f} ms | unknown {unknown:.1f} ms "
                f"| {known - unknown:+.1f} ms | {'TELLS' if tells else 'tells nothing'} |\n"
            )
        return int(told > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
