"""What every answer carries: headers, cookies, error pages, health."""

import pytest
from django.conf import settings as django_settings
from django.db import OperationalError
from django.shortcuts import render
from django.test import Client
from django.urls import path

from config.problems import busy_page
from config.urls import handler403, handler404, handler500, urlpatterns  # noqa: F401
from config.web import RuleErrorMixin, handle_rule_errors
from rules.errors import BadInput, RuleError


@handle_rule_errors
def refuses(request):
    raise RuleError("stale", "Table %(table)s was changed.", table=7, matches=[3, 4])


@handle_rule_errors
def misread(request):
    raise BadInput("impossible_result", "A result of %(score)s cannot be.", score="9-9")


class Shows(RuleErrorMixin):
    def get(self, request):
        return busy_page(request, OperationalError("x")) if "busy" in request.GET else ok(request)

    def post(self, request):
        raise RuleError("round_exists", "Round 4 exists.")


def ok(request):
    return render(request, "errors/error.html", {"title": "Shown", "back": "/"})


def locked(request):
    raise OperationalError("database is locked")


def full(request):
    raise OperationalError("database or disk is full")


def readonly(request):
    raise OperationalError("attempt to write a readonly database")


def breaks(request):
    raise ZeroDivisionError


urlpatterns = [
    *urlpatterns,
    *(
        path(f"test/{view.__name__}/", view)
        for view in (refuses, misread, locked, full, readonly, breaks)
    ),
    path("test/shows/", Shows.as_view()),
    path("api/test/refuses/", refuses),
    path("api/test/locked/", locked),
]


@pytest.fixture
def own_urls(settings):
    settings.ROOT_URLCONF = __name__


@pytest.fixture
def client():
    return Client(raise_request_exception=False, headers={"accept-language": "en"})


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/accounts/login/", "/nope", "/health/live", "/robots.txt"])
def test_every_answer_has_the_headers(client, address):
    headers = client.get(address).headers
    policy = headers["Content-Security-Policy"]
    for part in (
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ):
        assert part in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert len(headers["X-Request-ID"]) >= 8


@pytest.mark.django_db
def test_health_asks_for_no_account_and_sets_no_cookie(client):
    for address in ("/health/live", "/health/ready"):
        answer = client.get(address)
        assert (answer.status_code, answer.content) == (200, b"ok\n")
        assert not answer.cookies
        assert client.post(address).status_code == 405


@pytest.mark.django_db
def test_icons_and_robots_are_there(client):
    assert client.get("/favicon.ico").headers["Content-Type"] == "image/svg+xml"
    assert client.get("/favicon.svg").content.startswith(b"<svg")
    assert b"Disallow: /admin/" in client.get("/robots.txt").content


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Page not found"), ("it", "Pagina non trovata")],
)
def test_a_missing_page_says_so_in_both_languages(client, language, words):
    answer = client.get("/nope", headers={"accept-language": language})
    assert answer.status_code == 404
    assert words in answer.content.decode()
    assert f'lang="{language}"' in answer.content.decode()


@pytest.mark.django_db
def test_a_link_changes_the_language_and_comes_back(client):
    assert 'lang="it"' in client.get("/nope").content.decode()
    answer = client.get("/language/en/?next=/formats/%3Fa%3D1")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/formats/?a=1")
    assert answer.cookies["django_language"]["samesite"] == "Lax"
    assert 'lang="en"' in client.get("/nope").content.decode()
    assert client.get("/language/xx/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    "elsewhere",
    [
        "",
        "1",
        "events",
        "https://evil.example/",
        "//evil.example/a",
        "/\\evil.example",
        "javascript:a",
    ],
)
def test_a_change_of_language_never_leads_to_another_site(client, elsewhere):
    answer = client.get("/language/en/", {"next": elsewhere})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/nope", "/formats/"])
def test_public_pages_hold_no_token_of_forms(client, address):
    answer = client.get(address)
    assert "csrfmiddlewaretoken" not in answer.content.decode()
    assert not answer.cookies


@pytest.mark.django_db
def test_a_missing_address_of_the_api_is_json(client):
    body = client.get("/api/v1/nope/").json()
    assert body["code"] == "not_found"
    assert body["request_id"]


@pytest.mark.django_db
@pytest.mark.usefixtures("own_urls")
class TestRefusals:
    def test_a_refused_step_is_409_with_the_sentence_and_a_way_back(self, client):
        answer = client.post("/test/refuses/", headers={"referer": "http://testserver/desk/?a=1"})
        assert answer.status_code == 409
        assert "Table 7 was changed." in answer.content.decode()
        assert 'href="/desk/?a=1"' in answer.content.decode()

    def test_a_foreign_referer_is_no_way_back(self, client):
        answer = client.post("/test/refuses/", headers={"referer": "https://evil.test/x"})
        assert b"evil" not in answer.content

    def test_bad_input_is_400(self, client):
        assert client.post("/test/misread/").status_code == 400

    def test_htmx_gets_the_sentence_for_the_messages_region(self, client):
        answer = client.post("/test/refuses/", headers={"hx-request": "true"})
        assert answer.status_code == 409
        assert answer.headers["HX-Retarget"] == "#messages"
        assert b"<html" not in answer.content

    def test_the_api_gets_code_detail_and_values(self, client):
        answer = client.post("/api/test/refuses/")
        body = answer.json()
        assert (answer.status_code, body["code"]) == (409, "stale")
        assert body["detail"] == "Table 7 was changed."
        assert body["matches"] == [3, 4]

    def test_a_page_is_drawn_again_around_the_refusal(self, client):
        answer = client.post("/test/shows/")
        assert answer.status_code == 409
        assert "Round 4 exists." in answer.content.decode()
        assert "Shown" in answer.content.decode()

    @pytest.mark.parametrize(
        ("name", "code"),
        [("locked", "busy"), ("full", "storage_full"), ("readonly", "storage_read_only")],
    )
    def test_a_busy_database_is_503_and_says_when_to_come_back(self, client, name, code):
        answer = client.post(f"/test/{name}/")
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
        assert code in answer.content.decode()

    def test_a_busy_database_is_json_in_the_api(self, client):
        answer = client.post("/api/test/locked/")
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")

    @pytest.mark.filterwarnings("ignore")
    def test_a_bug_is_500_without_a_trace_of_code(self, client):
        answer = client.get("/test/breaks/")
        assert answer.status_code == 500
        assert b"ZeroDivision" not in answer.content
        assert answer.headers["X-Request-ID"] in answer.content.decode()


@pytest.mark.django_db
def test_a_wrong_method_has_a_page(client):
    answer = client.delete("/formats/")
    assert answer.status_code == 405
    assert "Reload the page and try again." in answer.content.decode()


@pytest.mark.django_db
def test_a_form_without_token_is_refused():
    client = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    answer = client.post("/accounts/login/", {"login": "a@b.it", "password": "x"})
    assert answer.status_code == 403
    assert "<h1>This form has expired</h1>" in answer.content.decode()
    assert "Reload the page and try again." in answer.content.decode()


@pytest.mark.django_db
def test_cookies_are_closed_to_scripts_and_other_sites(client):
    cookie = client.get("/accounts/login/").cookies["csrf"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert django_settings.SESSION_COOKIE_HTTPONLY


@pytest.mark.django_db
def test_the_style_page_is_for_developers(client, settings):
    assert client.get("/style/").status_code == 404
    settings.DEBUG = True
    assert client.get("/style/").status_code == 200


@pytest.mark.deep
@pytest.mark.django_db
def test_the_schema_and_its_page_need_no_other_host(client):
    assert client.get("/api/schema/").status_code == 200
    page = client.get("/api/docs/").content.decode()
    assert "http://" not in page.replace("http://testserver", "")
    assert "https://" not in page


@pytest.mark.deep
@pytest.mark.django_db
def test_no_parameter_of_the_schema_reaches_a_header(client):
    answer = client.get("/api/schema/", {"version": "1\n"})
    assert answer.status_code == 200
    assert "version" not in answer.headers["Content-Disposition"]
