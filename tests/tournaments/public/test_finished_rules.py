"""When an answer is rendered, who waits, and who gets the bytes of before: without a database."""

import threading
from typing import Any

import pytest

from tests.front import Answers, MadeUp, Time, ask, shared
from tournaments.public.page_cache import BETWEEN, LAG, LONGEST, PageCache


class Scene:
    """A front around a made-up application, at a made-up time."""

    def __init__(self, **more: Any) -> None:
        self.time, self.versions, self.answers = Time(), MadeUp(), Answers(**more)
        self.shared = shared()
        self.front = self.process()

    def process(self) -> PageCache:
        """Return a front as another process of the same site has it."""
        return PageCache(
            self.answers, self.versions, self.shared, now=self.time, sleep=self.time.sleep
        )

    def body(self, **more: Any) -> bytes:
        return ask(self.front, **more)[2]


def test_an_unchanged_answer_is_rendered_once_for_everybody() -> None:
    scene = Scene()
    assert {scene.body() for _reader in range(20)} == {b"answer 1"}
    assert ask(scene.process())[2] == b"answer 1"
    assert scene.answers.count == 1


def test_it_is_rendered_again_after_a_while() -> None:
    scene = Scene()
    scene.body()
    scene.time.at += LONGEST + 0.1
    assert scene.body() == b"answer 2"


def test_a_change_shows_after_a_second_at_most_and_is_rendered_once() -> None:
    scene = Scene()
    scene.body()
    scene.versions.version = 2
    scene.time.at += BETWEEN / 2
    assert scene.body() == b"answer 1"
    scene.time.at += BETWEEN / 2
    assert scene.body() == b"answer 2"
    assert scene.body() == b"answer 2"
    assert scene.answers.count == 2


def test_what_is_older_than_two_seconds_is_not_sent() -> None:
    """Nobody asked for a while: the first who does gets no page of long ago."""
    scene = Scene()
    scene.body()
    scene.time.at += 50
    scene.versions.version = 2
    assert scene.body() == b"answer 2"


def test_what_was_taken_away_is_gone_at_the_next_request_in_each_process() -> None:
    scene = Scene()
    other = scene.process()
    assert scene.body() == ask(other)[2] == b"answer 1"
    scene.versions.version = scene.versions.floor = 2
    assert ask(other)[2] == b"answer 2"
    assert scene.body() == b"answer 2"
    scene.versions.version, scene.versions.floor = 4, 3
    assert scene.body() == b"answer 3"


def test_an_event_that_is_gone_is_left_to_django() -> None:
    scene = Scene()
    scene.body()
    scene.versions.event = 0
    assert scene.body() == b"by django"
    scene.versions.event = 2  # another one of the same address
    assert scene.body() == b"answer 2"


@pytest.mark.parametrize("processes", [1, 2])
def test_a_stampede_renders_once_a_second(processes: int) -> None:
    """Two results a second for a minute, 64 readers each tenth of a second."""
    scene = Scene()
    fronts = [scene.front, *(scene.process() for _ in range(processes - 1))]
    shown = {0.0: 0}
    for tick in range(600):
        if tick % 5 == 0:
            scene.versions.version += 1
            shown[scene.time.at] = scene.answers.count
        for reader in range(64):
            ask(fronts[reader % processes])
        scene.time.at += 0.1
    assert 55 <= scene.answers.count <= 61


def test_while_one_renders_the_others_get_the_bytes_of_before_at_once() -> None:
    entered, finish = threading.Event(), threading.Event()

    def slow() -> None:
        if scene.answers.count > 1:
            entered.set()
            assert finish.wait(30)

    scene = Scene(before=slow)
    scene.body()
    scene.versions.version = 2
    scene.time.at += BETWEEN
    renders = threading.Thread(target=scene.body)
    renders.start()
    assert entered.wait(30)
    assert {scene.body() for _reader in range(50)} == {b"answer 1"}
    assert ask(scene.process())[2] == b"answer 1"
    finish.set()
    renders.join(30)
    assert scene.answers.count == 2
    assert scene.body() == b"answer 2"


def test_without_bytes_of_before_the_others_wait_for_the_one_rendering() -> None:
    entered, finish = threading.Event(), threading.Event()

    def slow() -> None:
        entered.set()
        assert finish.wait(30)

    scene = Scene(before=slow)
    scene.front.sleep = lambda _seconds: finish.wait(0.01)
    found: list[bytes] = []
    readers = [threading.Thread(target=lambda: found.append(scene.body())) for _ in range(8)]
    readers[0].start()
    assert entered.wait(30)
    for reader in readers[1:]:
        reader.start()
    finish.set()
    for reader in readers:
        reader.join(30)
    assert found == [b"answer 1"] * 8
    assert scene.answers.count == 1


def test_a_change_that_takes_away_during_a_rendering_is_not_hidden_by_it() -> None:
    """What was rendered from the state of before is not sent to who comes afterwards."""

    def taken_away() -> None:
        if scene.answers.count == 1:
            scene.versions.version = scene.versions.floor = 2

    scene = Scene(before=taken_away)
    scene.body()
    assert scene.body() == b"answer 2"


def test_who_renders_for_long_lets_the_bytes_of_before_live_as_long() -> None:
    def slow() -> None:
        scene.time.at += 3

    scene = Scene(before=slow)
    scene.body()
    scene.versions.version = 2
    scene.time.at += LAG
    holder = scene.shared.turn(next(iter(scene.front.memory._kept)))
    with holder as ours:
        assert ours
        assert scene.body() == b"answer 1"
