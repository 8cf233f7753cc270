"""Queries whose SQL is made once: sessions, and objects as Django's own query returns them."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts.models import User
from config.databases.prepared import KEY, TEXT, Prepared
from config.sessions import SessionStore
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.matches.services import FRESH, RELATED
from tournaments.models import Event, Match, MatchSeat, PersonalLink
from tournaments.models.match import seated_matches
from tournaments.players.services.links import make_link

pytestmark = pytest.mark.django_db


def test_an_object_is_what_djangos_own_query_returns():
    event = make.open_event(make.organiser())
    found = Prepared(lambda: Event.objects.filter(slug=TEXT).order_by()).first(
        Event, text=event.slug
    )
    usual = Event.objects.get(slug=event.slug)
    values = [
        {f.attname: getattr(each, f.attname) for f in Event._meta.concrete_fields}
        for each in (found, usual)
    ]
    assert values[0] == values[1]
    assert (found._state.db, found._state.adding) == (usual._state.db, usual._state.adding)
    assert not found.get_deferred_fields()


def test_an_object_comes_with_what_was_selected_beside_it(django_assert_num_queries):
    by = make.organiser()
    event = make.open_event(by)
    entry = make.players_more(event, ["Ada"], by)[0]
    make_link(entry=entry, by=by)
    make_link(entry=entry, by=Actor(entry=entry))
    asked = Prepared(lambda: PersonalLink.objects.filter(pk=KEY).select_related("by"))
    first, second = PersonalLink.objects.order_by("pk")
    with django_assert_num_queries(2):
        found = [asked.first(PersonalLink, link.pk, {"by": User}) for link in (first, second)]
        assert [link.by for link in found] == [by.user, None]
        assert [link.who for link in found] == [str(by.user), ""]


def test_a_match_comes_with_all_that_it_refers_to(django_assert_num_queries):
    by = make.organiser()
    event = make.halfway(by, 12)
    usual = Match.objects.select_related("round", "group__stage", "decision").filter(
        round__event=event
    )
    for match in usual:
        assert match.size in (1, 2)
        with django_assert_num_queries(1):
            (found,) = seated_matches(FRESH.objects(MatchSeat, match.pk, RELATED))
            assert found == match
            assert found.round == match.round
            assert found.group.stage == match.group.stage
            assert (found.players, found.decision) == (match.players, match.decision)
            assert vars(found.group.stage).keys() == vars(match.group.stage).keys()


def test_no_row_is_no_object():
    asked = Prepared(lambda: Event.objects.filter(slug=TEXT).order_by())
    assert asked.first(Event, text="nowhere") is None


class TestSession:
    @staticmethod
    def stored(**values):
        store = SessionStore()
        store.update(values)
        store.save()
        return store.session_key

    def test_is_read_by_one_query_and_is_that_of_djangos_store(self):
        assert import_string(f"{settings.SESSION_ENGINE}.SessionStore") is SessionStore
        key = self.stored(who="Ada")
        with CaptureQueriesContext(connection) as asked:
            found = SessionStore(key).load()
        assert (found, len(asked)) == ({"who": "Ada"}, 1)
        assert db.SessionStore(key).load() == found

    def test_of_djangos_store_is_read(self):
        store = db.SessionStore()
        store["who"] = "Ada"
        store.save()
        assert SessionStore(store.session_key)["who"] == "Ada"

    def test_that_has_expired_or_never_was_is_empty_and_gets_a_new_key(self):
        key = self.stored(who="Ada")
        past = timezone.now() - timedelta(seconds=1)
        Session.objects.filter(session_key=key).update(expire_date=past)
        for each in (key, "x" * 32):
            store = SessionStore(each)
            assert (store.load(), store.session_key) == ({}, None)
