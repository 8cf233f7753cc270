"""The own page while the last round's table is held back says what the public standings say."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import ENGLISH, by_link, url

pytestmark = pytest.mark.django_db


def test_who_is_out_by_points_is_not_told_to_stay(by):
    event = make.playing(
        by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 2}, standings_held="last"
    )
    for number in (1, 2, 3):
        if number > 1:
            make.next_round(event, by)
        make.play_round(event.rounds.get(ordinal=number), by)
    public = Client(headers=ENGLISH).get(url("standings", event)).content.decode()
    assert public.count(">out<") > 0
    pages = [
        by_link(entry, by).get(url("me", event), headers=ENGLISH).content.decode()
        for entry in event.entries.all()
    ]
    told = "Stay in the hall. Your table, or your final place"
    certain = public.count(">out<") + public.count(">through<")
    assert sum(told in page for page in pages) == len(pages) - certain
