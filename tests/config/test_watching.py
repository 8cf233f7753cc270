"""What is noted of requests: the line of the access log, ``/metrics`` and who may read it."""

import ipaddress
import logging
import re
from datetime import datetime

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver

from config.clients import is_client_in_networks
from config.logs import LineFormatter, RequestIdFilter
from config.watching import MonitoredApplication

HERE = [ipaddress.ip_network("127.0.0.1"), ipaddress.ip_network("2001:db8::/32")]
OPEN = {"code": {"offline", "language"}, "key": {"person"}}
"""Arguments with a telling name that are no secret, and the addresses where they are none."""
SECRETS = re.compile(r"token|key|code|secret|password|start")


def answered(path: str, query: str = "", method: str = "GET", **environ: str) -> str:
    """Return the line of a request, as the log holds it."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.setFormatter(LineFormatter("{asctime} {request_id} {message}", style="{"))
    handler.addFilter(RequestIdFilter())
    handler.emit = lambda record: lines.append(handler.format(record))
    log = logging.getLogger("girone.access")
    log.addHandler(handler)
    try:
        MonitoredApplication(site, None, lines=True)(
            {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, **environ},
            lambda status, headers, exc_info=None: None,
        )
    finally:
        log.removeHandler(handler)
    (line,) = lines
    return line


def site(environ, start_response):
    environ["girone.route"] = "a-page"
    start_response("302 Found", [("X-Request-ID", "abcdef12"), ("Content-Length", "0")])
    return [b""]


def secret_patterns() -> list[tuple[str, str]]:
    """Return (address with a secret in it, name) for every pattern whose argument is a secret."""

    def walk(resolver, before=""):
        for item in resolver.url_patterns:
            whole = before + str(item.pattern)
            if isinstance(item, URLPattern):
                yield whole, item.name
            else:
                yield from walk(item, whole)

    found = []
    for pattern, name in walk(get_resolver()):
        arguments = re.findall(r"<(?:\w+:)?(\w+)>", pattern)
        telling = [one for one in arguments if SECRETS.search(one)]
        if not telling or name in set().union(*(OPEN.get(one, set()) for one in telling)):
            continue
        address = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"<\1>", pattern)
        for one in arguments:
            value = "S3cret-x_y:Z" if one in telling else "7"
            address = re.sub(rf"<(?:\w+:)?{one}>", value, address)
        found.append((f"/{re.sub('[$^?]', '', address)}", name))
    return found


def test_no_line_holds_a_secret_of_any_address():
    patterns = secret_patterns()
    assert {"open-link", "open-invitation", "account_reset_password_from_key"} <= {
        name for _address, name in patterns
    }
    assert len(patterns) >= 8
    for address, _name in patterns:
        assert "S3cret" in address
        for asked in (address, address.rstrip("/"), f"/accounts/login{address}"):
            assert "S3cret" not in answered(asked), asked
        assert "S3cret" not in answered("/accounts/login/", f"next={address}")


def test_a_line_says_what_was_asked_and_answered():
    line = answered("/events/coppa/", "q=Anna", method="POST", HTTP_COOKIE="girone=S3cret")
    moment, number, rest = line.split(" ", 2)
    assert datetime.fromisoformat(moment).tzinfo is not None
    assert number == "abcdef12"
    assert re.fullmatch(r"POST /events/coppa/ 302 0 bytes \d+\.\d ms a-page", rest)


def test_tracebacks_and_encoded_links_are_masked_too():
    formatter = LineFormatter("{message}", style="{")
    try:
        raise ValueError("/p/S3cret/")
    except ValueError as error:
        told = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", 40, "x", 1, "next=%s", ("%2Fp%2FS3cret%2F",), told)
    said = formatter.format(record)
    assert "S3cret" not in said
    assert "next=%2Fp%2F***%2F" in said
    assert "ValueError: /p/***/" in said


def asks(rf, address, **more):
    return rf.get("/metrics", REMOTE_ADDR=address, **more)


def test_named_addresses_alone_are_answered(rf, settings):
    assert is_client_in_networks(asks(rf, "127.0.0.1"), HERE)
    assert is_client_in_networks(asks(rf, "::ffff:127.0.0.1"), HERE)
    assert is_client_in_networks(asks(rf, "2001:db8:7::1"), HERE)
    assert not is_client_in_networks(asks(rf, "192.0.2.1"), HERE)
    assert not is_client_in_networks(asks(rf, ""), HERE)
    assert not is_client_in_networks(asks(rf, "127.0.0.1"), [])
    assert is_client_in_networks(asks(rf, "127.0.0.1", HTTP_X_FORWARDED_FOR="192.0.2.1"), HERE)
    settings.TRUSTED_PROXIES = 1
    assert is_client_in_networks(asks(rf, "127.0.0.1"), HERE)
    assert not is_client_in_networks(asks(rf, "127.0.0.1", HTTP_X_FORWARDED_FOR="192.0.2.1"), HERE)
    assert not is_client_in_networks(
        asks(rf, "127.0.0.1", HTTP_X_FORWARDED_FOR="127.0.0.1, 192.0.2.1"), HERE
    )
    assert is_client_in_networks(asks(rf, "192.0.2.1", HTTP_X_FORWARDED_FOR="127.0.0.1"), HERE)
    settings.TRUSTED_PROXIES = 2
    assert not is_client_in_networks(asks(rf, "127.0.0.1", HTTP_X_FORWARDED_FOR="127.0.0.1"), HERE)


@pytest.mark.django_db
def test_the_page_is_not_there_for_others(settings):
    settings.METRICS_FROM = HERE
    browser = Client()
    assert browser.get("/metrics", REMOTE_ADDR="192.0.2.1").status_code == 404
    shown = browser.get("/metrics", headers={"host": "10.0.0.7:8000"})
    assert shown.status_code == 200
    assert b"girone_disk_free_bytes " in shown.content
    assert b"girone_requests_total" in shown.content
    settings.METRICS_FROM = []
    assert browser.get("/metrics").status_code == 404
