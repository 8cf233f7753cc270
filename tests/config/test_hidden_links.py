"""Tokens of personal links stay out of the log."""

import logging

from config.logs import HiddenLinksFilter


def shown(message, *values):
    record = logging.LogRecord("x", logging.INFO, "x", 1, message, values, None)
    assert HiddenLinksFilter().filter(record)
    return record.getMessage()


def test_a_link_is_masked_wherever_it_stands():
    assert (
        shown('"%s" %s %s', "GET /p/Ab-1_x/ HTTP/1.1", "302", "0") == '"GET /p/***/ HTTP/1.1" 302 0'
    )
    assert shown("Not Found: /p/secret/") == "Not Found: /p/***/"


def test_other_lines_stay_as_they_are():
    assert shown("GET /events/%s/", "coppa") == "GET /events/coppa/"
