"""Too many calls: 429 with Retry-After and a problem document."""

import pytest
from django.test import Client
from rest_framework.throttling import AnonRateThrottle, ScopedRateThrottle

RATES = {"anon": "5/min", "user": "5/min", "heavy": "2/min"}
BODY = {"players": ["anna"], "matches": []}


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow few calls a minute."""
    for kind in (AnonRateThrottle, ScopedRateThrottle):
        monkeypatch.setattr(kind, "THROTTLE_RATES", RATES)


def test_heavy_calls_are_few(client: Client) -> None:
    def rank():
        return client.post(
            "/api/v1/rank/",
            BODY,
            content_type="application/json",
            headers={"accept-language": "en"},
        )

    assert [rank().status_code for _call in range(2)] == [200, 200]
    refused = rank()
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert refused["Content-Type"].startswith("application/")
    assert refused.json()["code"] == "throttled"
    assert refused.json()["detail"] == "Nothing was stored. Wait a minute, then try again."
    assert refused.json()["request_id"]


@pytest.mark.django_db
def test_reading_goes_on_while_heavy_calls_wait(client: Client) -> None:
    statuses = [
        client.post("/api/v1/rank/", BODY, content_type="application/json").status_code
        for _call in range(3)
    ]
    assert statuses == [200, 200, 429]
    assert client.get("/api/v1/formulas/").status_code == 200
    again = [client.get("/api/v1/formulas/").status_code for _call in range(3)]
    assert again[-1] == 429
