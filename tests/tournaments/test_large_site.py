"""Lists, histories, the log and searches of a large site read by indexes, never a whole table.

``make bench-large`` measures the same questions with 10,000 events and 1,000,000 entries.
"""

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.large_questions import questions
from tests.large_site import large_site
from tournaments.models import Entry, Event
from tournaments.public.storage import DjangoVersionReader

pytestmark = pytest.mark.deep

LARGE = {"tournaments_event", "tournaments_entry", "tournaments_logline", "tournaments_staffrole"}
EVENTS, ENTRIES, LINES, OWN = 3_600, 4, 4, 60


@pytest.fixture
def site(transactional_db):
    return large_site(events=EVENTS, entries=ENTRIES, lines=LINES, own=OWN)


def asked_by(ask):
    """Return the SELECT statements that a question sends."""
    with CaptureQueriesContext(connection) as sent:
        ask()
    return [query["sql"] for query in sent if query["sql"].startswith("SELECT")]


def scans(sql):
    """Return the large tables that a statement reads from end to end, as its plan says.

    An index read in order until a page is full is no scan, nor is one that holds all that a count
    asks for.
    """
    if connection.vendor == "postgresql":
        return scans_of_postgresql(sql)
    aliases = dict(re.findall(r'"(\w+)" (U\d+|T\d+)\b', sql))
    found = []
    with connection.cursor() as cursor:
        plan = [row[-1] for row in cursor.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()]
    for step in plan:
        if not (scan := re.match(r"SCAN (\w+)(?: USING (COVERING )?INDEX (\w+))?", step)):
            continue
        name, covering, index = scan.groups()
        counted = covering and sql.startswith("SELECT COUNT")
        paged = index and " LIMIT " in sql
        if aliases.get(name, name) in LARGE and not counted and not paged:
            found.append(step)
    return found


def scans_of_postgresql(sql):
    """Return the large tables read from end to end although other ways are preferred."""
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")  # small tables would be read whole
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
        plan = cursor.fetchone()[0]
        cursor.execute("RESET enable_seqscan")
    return list(read_whole((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]))


def read_whole(node, paged=False):
    kind, paged = node["Node Type"], paged or node["Node Type"] == "Limit"
    whole = kind == "Seq Scan" or (kind == "Index Scan" and "Index Cond" not in node and not paged)
    if whole and node["Relation Name"] in LARGE:
        yield f"{kind} on {node['Relation Name']}"
    for inner in node.get("Plans", ()):
        yield from read_whole(inner, paged)


@pytest.mark.deep
def test_no_question_reads_a_whole_table(site):
    found = {
        name: [(sql, scans(sql)) for sql in asked_by(ask) if scans(sql)]
        for name, ask in questions(site).items()
    }
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.deep
def test_the_look_at_an_event_reads_by_indexes_alone(site):
    """What every reader of a finished page costs where the database is PostgreSQL."""
    versions = DjangoVersionReader()
    first = versions.current(site.event.slug)
    with CaptureQueriesContext(connection) as sent:
        assert versions.current(site.event.slug) == first
    (query,) = sent
    if connection.vendor == "postgresql":
        assert scans(query["sql"]) == []
        return
    with connection.cursor() as cursor:
        plan = cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}").fetchall()
    assert [row[-1] for row in plan if row[-1].startswith("SCAN")] == []


def test_a_whole_table_would_be_noticed(site):
    by_club, by_name = Entry.objects.filter(club="x"), Event.objects.filter(about="x")
    for sql in (str(by_club.query), str(by_name.query)):
        quoted = sql.replace("= x", "= 'x'")
        assert scans(quoted), sql


def test_no_page_grows_with_the_site(site):
    answers = {name: ask() for name, ask in questions(site).items()}
    cards = {name: answer.content.decode().count("<li") for name, answer in answers.items()}
    assert max(cards.values()) < 100
    assert "?going=2" in answers["front page"].content.decode()
    mine = answers["my events of a player"].content.decode()
    assert "?playing=2" in mine
    assert "?working=2" in answers["my events of an organiser"].content.decode()
