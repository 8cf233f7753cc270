"""Two people click at the same moment, in two processes on one file: one effect, no crash.

Safety notes, T41 and T43 to T45.
"""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.database import migrated
from tests.database_files import manage

ROOT = Path(__file__).parents[2]
SETUP = """
import json
from django.conf import settings
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
from tests import factories as make
from tournaments.models import Event
from tournaments.core.permissions import Actor
from tournaments.judging.services import call_judge
from tournaments.lots import services as draws
from tournaments.players.services.entries import make_link
from tournaments.core.event_state import load_facts
by = make.organiser()
event = make.started(by, 6, formula="single-group")
matches = make.next_round(event, by).matches.order_by("pk")
waiting = make.open_event(by, name="Attesa")
make.players(waiting, 4, by)
draws.draw_start_order(event=waiting, by=by)
done = make.started(by, 4, name="Fatto", formula="groups-knockout")
make.play_stage(done, by)
for tied in load_facts(done).open_stage.outcome.lots_needed:
    draws.draw_tied_order(event=done, tied=tied, by=by)
level = make.started(by, 4, name="Pari")
make.play_stage(level, by, lambda match, index: make.Claim(score=(20, 20)))
tokens = [[make_link(entry=entry, by=by) for entry in m.players] for m in matches]
listed = make.open_event(by, name="Liste", decklists="required")
writers = [make_link(entry=entry, by=by) for entry in make.players(listed, 4, by)]
draws.draw_start_order(event=listed, by=by)
phones = make.open_event(by, name="Telefoni", decklists="required")
phone = make_link(entry=make.players(phones, 2, by)[0], by=by)
timed = make.started(by, 4, name="Orologio", formula="single-group")
table = make.next_round(timed, by).matches.select_related("round").order_by("pk")[0]
call = call_judge(match=table, entry=table.players[0], by=Actor(entry=table.players[0]))
callers = [make_link(entry=entry, by=by) for entry in table.players]
from django.test import Client
shared = make.event(by, name="In due")
browser = Client(SERVER_NAME="localhost")
browser.force_login(by.user)
tag = browser.get(f"/api/v1/events/{shared.slug}/")["ETag"]
from tournaments.rounds.selectors.discards import round_version
from tournaments.rounds import services as rounds
swiss = make.started(by, 8, name="Svizzera", formula="swiss-cut")
rounds.draft_round(event=swiss, expected_round=1, by=by)
drafted = [[m.players[0].number, m.players[1].number] for m in
    swiss.rounds.get().matches.order_by("number")]
from tournaments.joining.services import request_sign_in
hall = make.open_event(by, name="Porta")
make.players(hall, 3, by)
code = request_sign_in(event=hall, number=1).claim.code
for _time in range(2):
    request_sign_in(event=hall, number=2)
from tournaments.series.services import create_series
over = make.played(by, 8, name="Serata 1", formula="single-elimination")
league = {"name": "Lega", "events": [over.slug], "order": ["points", "lots"]}
create_series(values=league | {"points": {"by_place": [4, 3, 2, 1]}}, by=by)
print(json.dumps({"hall": hall.slug, "code": code,
    "shared": shared.slug, "version": shared.version, "tag": tag,
    "swiss": swiss.slug, "drafted": drafted, "seen": round_version(swiss, 1),
    "timed": timed.slug, "call": call.pk, "table": table.pk, "callers": callers,
    "judge": make.staff(timed).user.pk, "user": by.user.pk, "tokens": tokens,
    "matches": [m.pk for m in matches],
    "writers": writers, "listed": listed.slug, "phones": phones.slug, "phone": phone,
    "level": level.slug, "event": event.slug, "waiting": waiting.slug, "done": done.slug}))
"""

pytestmark = pytest.mark.processes


class Two:
    """Two browsers in two processes, and the file between them."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "race.sqlite3"
        env = os.environ | {"DATABASE_URL": f"sqlite:///{self.file}", "LOG_LEVEL": "CRITICAL"}
        migrated(self.file)
        made = manage("-c", SETUP, database=self.file)
        assert made.returncode == 0, made.stderr
        self.given: dict[str, Any] = json.loads(made.stdout.splitlines()[-1])
        command = [sys.executable, "-m", "tests.processes.clicking"]
        self.browsers = [
            subprocess.Popen(
                command, cwd=ROOT, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            for _ in range(2)
        ]

    def click(self, *lines: str) -> list[int]:
        """Send a form in each browser at the same moment; return the statuses in order."""
        for browser, line in zip(self.browsers, lines, strict=True):
            browser.stdin.write(line + "\n")
            browser.stdin.flush()
        for browser in self.browsers:
            assert browser.stdout.readline() == "ready\n"
        for browser in self.browsers:
            browser.stdin.write("go\n")
            browser.stdin.flush()
        return sorted(int(browser.stdout.readline()) for browser in self.browsers)

    def count(self, question: str, *values: object) -> int:
        """Return the number that a question to the file answers."""
        with sqlite3.connect(self.file) as file:
            return int(file.execute(question, values).fetchone()[0])

    def stop(self) -> None:
        """Let the processes end by themselves."""
        for browser in self.browsers:
            browser.stdin.close()
            browser.wait(timeout=60)
            browser.stdout.close()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    """Return the pair, once for all races: each is about an event or a match of its own."""
    pair = Two(tmp_path_factory.mktemp("race"))
    yield pair
    pair.stop()


STATE = "select count(*) from tournaments_match where id = ? and state = 'final'"
REPORTS = "select count(*) from tournaments_report where match_id = ?"
LINES = (
    "select count(*) from tournaments_logline l join tournaments_event e on e.id = l.event_id"
    " where e.slug = ? and l.action = ?"
)


def test_two_desks_save_different_results_of_one_match(two: Two) -> None:
    given = two.given
    match = given["matches"][1]
    path = f"{given['user']} - /events/{given['event']}/desk/save/{match}/ version=0&text="
    assert two.click(f"{path}40-10", f"{path}10-40") == [302, 409]
    assert two.count(REPORTS, match) == 1


@pytest.mark.deep
def test_both_players_report_the_same_and_then_a_judge_is_too_late(two: Two) -> None:
    given, match = two.given, two.given["matches"][0]
    path = f"/events/{given['event']}/me/matches/{match}/report/"
    one, other = given["tokens"][0]
    said = two.click(
        f"- {one} {path} own=40&other=10&sure=on", f"- {other} {path} own=10&other=40&sure=on"
    )
    assert said == [302, 302]
    assert two.count(STATE, match) == 1
    save = f"{given['user']} - /events/{given['event']}/desk/save/{match}/"
    late = two.click(f"{save} version=0&text=1-40", f"- {one} {path} own=1&other=40&sure=on")
    assert late == [409, 409]
    assert two.count(REPORTS, match) == 2


def test_a_judge_decides_while_a_player_reports(two: Two) -> None:
    given, match = two.given, two.given["matches"][2]
    report = f"- {given['tokens'][2][0]} /events/{given['event']}/me/matches/{match}/report/"
    save = f"{given['user']} - /events/{given['event']}/desk/save/{match}/ version=0&text=1-40"
    assert two.click(f"{report} own=40&other=10&sure=on", save) == [302, 409]
    assert two.count(REPORTS, match) == 1


@pytest.mark.parametrize(
    ("event", "step", "action"),
    [
        ("waiting", "manage/start/go/ draw=1", "event.start"),
        ("done", "advance/close/ expected_stage=1", "stage.closed"),
    ],
)
def test_two_organisers_do_the_same_step(two: Two, event: str, step: str, action: str) -> None:
    slug = two.given[event]
    line = f"{two.given['user']} - /events/{slug}/{step}"
    assert two.click(line, line) == [302, 409]
    assert two.count(LINES, slug, action) == 1


@pytest.mark.deep
def test_one_draws_lots_while_another_makes_the_extra_match(two: Two) -> None:
    slug, user = two.given["level"], two.given["user"]
    extra = f"{user} - /events/{slug}/lots/extra-match/ tied=1,2,3,4&expected_round=4"
    draw = f"{user} - /events/{slug}/lots/draw/ tied=1,2,3,4"
    assert two.click(draw, extra) == [302, 409]
    done = [two.count(LINES, slug, action) for action in ("draw.lots", "round.drafted")]
    assert done in ([1, 3], [0, 4])
    assert two.click(extra, extra) == [409, 409]


@pytest.mark.deep
def test_one_publishes_a_draft_while_another_changes_it(two: Two) -> None:
    given, path = two.given, f"/events/{two.given['swiss']}/desk/rounds/1/"
    (a, _b), (c, _d) = given["drafted"][:2]
    # A form's field that stands there twice can't be sent like this: the pair is paired anew.
    change = f"{given['user']} - {path}change/ expected={given['seen']}&action=break&player={a}"
    publish = f"{given['user']} - {path}publish/ expected={given['seen']}"
    assert two.click(change, publish) == [302, 409]
    done = [two.count(LINES, given["swiss"], f"round.{act}") for act in ("changed", "published")]
    assert done in ([1, 0], [0, 1])
    late = f"{given['user']} - {path}change/ expected={given['seen']}&action=break&player={c}"
    assert two.click(late, publish) == [409, 409]


@pytest.mark.deep
def test_two_programs_change_the_event_that_both_have_read(two: Two) -> None:
    given = two.given
    path = f"{given['user']} - /api/v1/events/{given['shared']}/"

    def call(venue: str, header: str, **body: object) -> str:
        headers = {"If-Match": header}
        change = {"method": "PATCH", "headers": headers, "body": {"venue": venue, **body}}
        return f"{path} {json.dumps(change)}"

    one, other = (call(venue, given["tag"]) for venue in "AB")
    assert two.click(one, other) == [200, 412]
    assert two.count(LINES, given["shared"], "event.changed") == 1
    version = given["version"] + 1
    one, other = (call(venue, "*", version=version) for venue in "CD")
    assert two.click(one, other) == [200, 409]
    assert two.count(LINES, given["shared"], "event.changed") == 2


SUBMITTED = """
select count(*) from tournaments_decksubmission s join tournaments_entry e on e.id = s.entry_id
 join tournaments_event v on v.id = e.event_id where v.slug = ? and e.number = ?"""
COUNTING = SUBMITTED + " and e.submission_id = s.id"
TOO_LATE = COUNTING + " and s.submitted_at > v.started_at"


@pytest.mark.deep
def test_two_judges_begin_a_check_at_once(two: Two) -> None:
    given = two.given
    start = f"{given['user']} - /events/{given['event']}/checks"
    open_checks = (
        "select count(*) from tournaments_deckcheck c join tournaments_event e on e.id = c.event_id"
        " where e.slug = ? and c.finished_at is null"
    )
    assert two.click(f"{start}/start/ number=1", f"{start}/start/ number=1") == [302, 409]
    assert two.count(open_checks, given["event"]) == 1
    tick = f"{start}/1/ version=0&point="
    assert two.click(f"{tick}1", f"{tick}2") == [302, 409]


@pytest.mark.deep
def test_two_phones_hand_in_two_first_lists_and_both_are_kept(two: Two) -> None:
    slug, token = two.given["phones"], two.given["phone"]
    path = f"- {token} /events/{slug}/me/deck/ expected=0&text="
    assert two.click(f"{path}1+Lupo", f"{path}2+Lupo") == [302, 409]
    assert two.count(SUBMITTED, slug, 1) == 2
    assert two.count(COUNTING, slug, 1) == 1


@pytest.mark.deep
def test_a_list_is_handed_in_while_the_event_starts_in_spite_of_it(two: Two) -> None:
    given, slug = two.given, two.given["listed"]
    hand_in = f"- {given['writers'][1]} /events/{slug}/me/deck/ expected=0&text=1+Lupo"
    why = "draw=1&seen=1,2,3,4&despite=on&override=agreed"
    start = f"{given['user']} - /events/{slug}/manage/start/go/ {why}"
    assert two.click(hand_in, start) in ([302, 302], [302, 409])
    assert two.count(LINES, slug, "event.start") == 1
    assert two.count(TOO_LATE, slug, 2) == 0
    assert two.click(hand_in, start) == [409, 409]
    assert two.count(LINES, slug, "event.start") == 1


@pytest.mark.deep
def test_two_judges_press_the_same_button_of_the_clock(two: Two) -> None:
    given = two.given
    path = f"/events/{given['timed']}/desk/rounds/1/clock/"
    for at, action in enumerate(("start", "pause", "resume", "add")):
        fields = f"action={action}&version={at}" + "&minutes=5" * (action == "add")
        said = two.click(*(f"{who} - {path} {fields}" for who in (given["user"], given["judge"])))
        assert said == [302, 409], action
        assert two.count(LINES, given["timed"], f"clock.{action}") == 1
    minutes = "select minutes from tournaments_roundclock where version = ?"
    assert two.count(minutes, 4) == 55


@pytest.mark.deep
def test_two_judges_take_one_call_and_two_players_make_one(two: Two) -> None:
    given = two.given
    path = f"/events/{given['timed']}/calls/{given['call']}/"
    for act in ("take", "close"):
        said = two.click(*(f"{who} - {path}{act}/" for who in (given["user"], given["judge"])))
        assert said == [302, 409], act
    path = f"/events/{given['timed']}/me/matches/{given['table']}/call/"
    assert two.click(*(f"- {token} {path} reason=x" for token in given["callers"])) == [302, 409]
    open_ = "select count(*) from tournaments_judgecall where match_id = ? and closed_at is null"
    assert two.count(open_, given["table"]) == 1


def test_one_desk_confirms_a_phone_while_another_refuses_it(two: Two) -> None:
    given = two.given
    path = f"{given['user']} - /events/{given['hall']}/desk/join/1/"
    said = two.click(f"{path}confirm/ code={given['code']}", f"{path}refuse/ number=1")
    assert said == [302, 409]
    lines = (two.count(LINES, given["hall"], f"join.{what}") for what in ("confirmed", "refused"))
    assert sum(lines) == 1


def test_two_phones_ask_for_the_last_place_among_those_that_wait(two: Two) -> None:
    path = f"- - /events/{two.given['hall']}/join/ number=2"
    assert two.click(path, path) == [302, 409]


@pytest.mark.deep
def test_two_organisers_tap_on_the_next_evening_and_both_get_the_same(two: Two) -> None:
    path = f"{two.given['user']} - /series/lega/next/"
    assert two.click(path, path) == [302, 302]
    assert two.count("select count(*) from tournaments_event where name = ?", "Serata 2") == 1


@pytest.mark.deep
def test_two_organisers_invite_to_one_final_and_replace_one_player(two: Two) -> None:
    user = two.given["user"]
    call = {"method": "POST", "headers": {}, "body": {"first": 6, "name": "Finale"}}
    invite = f"{user} - /api/v1/series/lega/final/ {json.dumps(call)}"
    assert two.click(invite, invite) == [201, 409]
    assert two.count("select count(*) from tournaments_event where name = ?", "Finale") == 1
    replace = f"{user} - /series/lega/final/3/"
    assert two.click(replace, replace) == [302, 409]
    players = (
        "select count(*) from tournaments_entry e join tournaments_event v on v.id = e.event_id"
        " where v.name = ? and e.seed between 1 and 6"
    )
    assert two.count(players, "Finale") == 6
