"""A process with a browser of its own: each line is a form to send, each answer its status.

``USER_ID TOKEN PATH field=value …``: signed in as the user, or with the personal link's token;
``-`` stands for neither. In the place of fields may stand a call of the API as JSON: its
``method``, its ``headers`` and its ``body``.
"""

import json
import os
import sys
from urllib.parse import parse_qsl

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.test import Client  # noqa: E402 - Django must be set up first

from accounts.models import User  # noqa: E402


def answer(line: str) -> int:
    """Send the form; return the status."""
    user, token, path, fields = (*line.split(" ", 3), "")[:4]
    browser = Client(raise_request_exception=False, SERVER_NAME="localhost")
    if user != "-":
        browser.force_login(User.objects.get(pk=user))
    if token != "-":
        browser.get(f"/p/{token}/")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    if fields.startswith("{"):
        call = json.loads(fields)
        more = {"content_type": "application/json", "headers": call["headers"]}
        return browser.generic(call["method"], path, json.dumps(call["body"]), **more).status_code
    return browser.post(path, dict(parse_qsl(fields, keep_blank_values=True))).status_code


if __name__ == "__main__":
    while line := sys.stdin.readline().strip():
        sys.stdout.write(f"{answer(line)}\n")
        sys.stdout.flush()
