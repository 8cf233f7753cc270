"""The pages of the API: every call of the schema once, by subject, in few bytes."""

import gzip
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.text import slugify

from config.schema import SUBJECTS

pytestmark = pytest.mark.django_db
LARGEST = 200_000


@pytest.mark.deep
def test_every_call_stands_under_one_subject(client: Client) -> None:
    schema = client.get("/api/schema/", headers={"accept": "application/json"}).json()
    calls = {
        operation["operationId"]: operation["tags"]
        for operations in schema["paths"].values()
        for operation in operations.values()
    }
    assert {tag for tags in calls.values() for tag in tags} == {*SUBJECTS}
    assert [each["name"] for each in schema["tags"]] == [*SUBJECTS]
    shown = []
    for subject in SUBJECTS:
        page = client.get(reverse("api-subject", args=[slugify(subject)])).content
        assert len(gzip.compress(page)) < LARGEST // 4
        assert b"http://" not in page.replace(b"http://testserver", b"")
        shown += re.findall(r'<section class="panel" id="(\w+)"', page.decode())
    assert sorted(shown) == sorted(calls)


def test_an_unknown_subject_is_not_found(client: Client) -> None:
    assert client.get("/api/docs/nothing/").status_code == 404
