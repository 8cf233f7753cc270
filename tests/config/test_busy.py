"""A database that is locked, gone or in a deadlock: 503 soon, and readers go on."""

import sqlite3
import threading
import time
from contextlib import closing

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, connection, connections
from django.db.utils import ProgrammingError
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from accounts.models import User
from config import transaction
from config.databases.sqlite3.base import WriterQueue
from config.problems import is_busy
from config.urls import handler403, handler404, handler500, urlpatterns  # noqa: F401
from tests import factories as make
from tests.architecture.test_boundaries import ROOT
from tests.service_modules import service_files
from tournaments.players import api as players
from tournaments.players.services.entries import add_entry


def caused(error, cause):
    """Return an error as Django raises it for one of the driver."""
    error.__cause__ = cause
    return error


class TestWhatIsBusy:
    @pytest.mark.parametrize(
        "error",
        [
            caused(OperationalError("gone"), psycopg.OperationalError("connection refused")),
            caused(OperationalError("x"), psycopg.errors.AdminShutdown("x")),
            caused(OperationalError("x"), psycopg.errors.DeadlockDetected("x")),
            caused(OperationalError("x"), psycopg.errors.LockNotAvailable("x")),
            caused(OperationalError("x"), psycopg.errors.DiskFull("x")),
            caused(InterfaceError("x"), psycopg.InterfaceError("the connection is closed")),
            OperationalError("database is locked"),
            OperationalError("unable to open database file"),
        ],
    )
    def test_what_passes_by_itself(self, error):
        assert is_busy(error)

    @pytest.mark.parametrize(
        "error",
        [
            caused(OperationalError("no such table: x"), sqlite3.OperationalError("x")),
            caused(ProgrammingError("x"), psycopg.errors.UndefinedTable("x")),
            ValueError("database is locked"),
        ],
    )
    def test_what_is_a_fault_of_the_code(self, error):
        assert not is_busy(error)


def gone(_request):
    raise caused(OperationalError("gone"), psycopg.OperationalError("connection refused"))


urlpatterns = [
    *urlpatterns,
    path("test/gone/", gone),
    path("api/test/gone/", gone),
    path("test/ok/", lambda request: HttpResponse(str(request.user.is_authenticated))),
]


@pytest.mark.django_db
@pytest.mark.urls(__name__)
class TestGone:
    @pytest.fixture
    def client(self):
        return Client(raise_request_exception=False, headers={"accept-language": "en"})

    @pytest.mark.parametrize(("address", "kind"), [("/", "text/html"), ("/api/", "application/")])
    def test_the_answer_says_when_to_come_back(self, client, address, kind):
        answer = client.post(f"{address}test/gone/")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.headers["Content-Type"].startswith(kind)
        assert "Wait a minute" in answer.content.decode()

    def test_an_account_that_can_not_be_read_breaks_no_error_page(self, client, monkeypatch):
        client.force_login(make.user())

        def no_session(*_args, **_kwargs):
            raise caused(OperationalError("x"), psycopg.OperationalError("x"))

        monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", no_session)
        answer = client.get("/test/ok/")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert "The site is busy" in answer.content.decode()


class TestDeadlock:
    @staticmethod
    def fails_first(times, error):
        tried = []

        @transaction.atomic
        def rename(user):
            user.name += "!"
            user.save()
            tried.append(user.name)
            if len(tried) <= times:
                raise error
            return user.name

        return rename, tried

    @pytest.fixture
    def deadlock(self):
        return caused(OperationalError("x"), psycopg.errors.DeadlockDetected("x"))

    @pytest.mark.django_db(transaction=True)
    def test_it_is_tried_once_more_from_the_same_start(self, deadlock):
        user = make.user(name="Anna")
        rename, tried = self.fails_first(1, deadlock)
        assert rename(user) == "Anna!"
        assert tried == ["Anna!", "Anna!"]
        assert User.objects.get(pk=user.pk).name == "Anna!"

    @pytest.mark.django_db(transaction=True)
    def test_a_second_one_is_told(self, deadlock):
        user = make.user(name="Anna")
        rename, tried = self.fails_first(2, deadlock)
        with pytest.raises(OperationalError):
            rename(user)
        assert len(tried) == 2
        assert User.objects.get(pk=user.pk).name == "Anna"

    @pytest.mark.django_db(transaction=True)
    def test_nothing_else_is_repeated(self):
        rename, tried = self.fails_first(1, OperationalError("database is locked"))
        with pytest.raises(OperationalError):
            rename(make.user())
        assert len(tried) == 1

    @pytest.mark.django_db
    def test_inside_another_transaction_nothing_can_be_repeated(self, deadlock):
        rename, tried = self.fails_first(1, deadlock)
        with pytest.raises(OperationalError):
            rename(make.user())
        assert len(tried) == 1

    @pytest.mark.django_db(transaction=True)
    def test_a_call_of_the_api_is_tried_once_more(self, deadlock, monkeypatch, client):
        by = make.organiser()
        event = make.open_event(by)
        client.force_login(by.user)
        names = []

        def add(**values):
            names.append(values["name"])
            entry = add_entry(**values)
            if len(names) == 2:
                raise deadlock
            return entry

        monkeypatch.setattr(players, "add_entry", add)
        url = f"/api/v1/events/{event.slug}/players/"
        sent = [{"name": "Anna"}, {"name": "Bruno"}]
        answer = client.post(url, sent, content_type="application/json")
        assert answer.status_code == 201
        assert names == ["Anna", "Bruno"] * 2
        assert [entry.name for entry in event.entries.order_by("pk")] == ["Anna", "Bruno"]

    def test_services_and_api_use_these_transactions(self):
        files = [*service_files(), *ROOT.glob("decks/**/services*.py")]
        api = {*ROOT.glob("tournaments/*/api.py"), *ROOT.glob("tournaments/**/api/*.py")}
        api -= {ROOT / "tournaments/api/request_context.py"}
        texts = {file: file.read_text() for file in [*files, *api]}
        assert len([text for text in texts.values() if "from config import transaction" in text])
        wrong = [file.name for file, text in texts.items() if "django.db.transaction" in text]
        wrong += [file.name for file in api if "with transaction.atomic()" in texts[file]]
        wrong += [
            file.name
            for file, text in texts.items()
            for line in text.splitlines()
            if line.startswith("from django.db import") and "transaction" in line
        ]
        assert wrong == []


class TestQueue:
    def test_who_comes_too_many_waits_while_the_lock_changes_hands(self):
        queue, held, done = WriterQueue(room=2, stalled_after=5), threading.Lock(), []

        def write(number):
            with queue.place(), held:
                time.sleep(0.01)
            done.append(number)

        threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert sorted(done) == list(range(12))
        assert queue.waiting == 0

    def test_who_comes_too_many_is_sent_away_where_nothing_moves(self):
        queue, held, refused = WriterQueue(room=2, stalled_after=0.1), threading.Lock(), []

        def write():
            try:
                with queue.place(), held:
                    pass
            except OperationalError as error:
                refused.append(error)

        threads = [threading.Thread(target=write) for _ in range(6)]
        with held:
            for thread in threads:
                thread.start()
            for _ in range(3000):
                if len(refused) == 4:
                    break
                time.sleep(0.02)
            assert len(refused) == 4
            assert all(is_busy(error) for error in refused)
            began = time.monotonic()
            write()
            assert len(refused) == 5
            assert time.monotonic() - began < 15
        for thread in threads:
            thread.join(20)
        assert queue.waiting == 0
        write()
        assert len(refused) == 5


@pytest.mark.deep
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks rows")
@pytest.mark.django_db(transaction=True)
def test_half_of_the_threads_wait_for_a_locked_database_and_readers_go_on(settings):
    """Twelve writers come while another program holds the database."""
    make.user("anna@example.org")
    said = []

    def write():
        try:
            User.objects.create(email=f"{threading.get_ident()}@example.org", name="x")
            said.append("stored")
        except OperationalError:
            said.append("refused")
        finally:
            connections["default"].close()

    file = connection.settings_dict["NAME"]
    threads = [threading.Thread(target=write) for _ in range(12)]
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for thread in threads:
            thread.start()
        for _ in range(3000):
            if len(said) == 12 - settings.THREADS // 2:
                break
            time.sleep(0.02)
        assert said == ["refused"] * (12 - settings.THREADS // 2)
        began = time.monotonic()
        assert User.objects.filter(email="anna@example.org").exists()
        assert time.monotonic() - began < 15
        other.execute("ROLLBACK")
    for thread in threads:
        thread.join(30)
    assert said.count("stored") == settings.THREADS // 2
