"""Tokens of personal links stay out of the log."""

import logging

from config.logs import LineFormatter


def shown(message, *values):
    record = logging.LogRecord("x", logging.INFO, "x", 1, message, values, None)
    return LineFormatter("{message}", style="{").format(record)


def test_a_link_is_masked_wherever_it_stands():
    assert (
        shown('"%s" %s %s', "GET /p/Ab-1_x/ HTTP/1.1", "302", "0") == '"GET /p/***/ HTTP/1.1" 302 0'
    )
    assert shown("Not Found: /p/secret/") == "Not Found: /p/***/"


def test_links_for_passwords_addresses_and_invitations_are_masked():
    for path in ("accounts/password/reset/key/", "accounts/confirm-email/", "invitations/"):
        assert shown(f"Not Found: /{path}1-ab:C_x/") == f"Not Found: /{path}***/"


def test_other_lines_stay_as_they_are():
    assert shown("GET /events/%s/", "coppa") == "GET /events/coppa/"
