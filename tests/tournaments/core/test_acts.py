"""What every declared act has, whatever feature it belongs to."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.functional import Promise
from django.utils.module_loading import import_string
from django.utils.translation import override

import tournaments
from rules.events.lifecycle import EVENT
from tests import factories as make
from tests.scenes import SCENES
from tests.service_modules import service_modules
from tournaments.core.acts import REDONE, Act, Inverse, NoUndo, act_by_key, action_label, acts
from tournaments.core.permissions import Actor
from tournaments.log.services import begin_act

TABLES = ("clock", "draw", "entry", "event")
"""The nouns whose services record a table's action: ``act_by_key(f"clock.{action}")``."""


def told(act: Act) -> list[Promise]:
    """Return all sentences of an act."""
    why = [act.undo.why] if isinstance(act.undo, NoUndo) else []
    return [words for words in (act.words, act.ask_undo, act.ask_redo, *why) if words]


@pytest.mark.parametrize("key", sorted(acts()))
def test_its_words_are_there_in_italian(key: str) -> None:
    with override("en"):
        english = [str(words) for words in told(act_by_key(key))]
    with override("it"):
        italian = [str(words) for words in told(act_by_key(key))]
    assert all(one != other for one, other in zip(english, italian, strict=True))


def test_each_is_undone_in_a_scene_or_says_why_not() -> None:
    undoable = {act.key for act in acts().values() if not isinstance(act.undo, NoUndo)}
    assert set(SCENES) | {REDONE.key} == undoable


def test_each_function_that_is_named_can_be_called() -> None:
    inverses = [act.undo.path for act in acts().values() if isinstance(act.undo, Inverse)]
    names = [path for act in acts().values() for path in (act.type_undo, act.type_redo) if path]
    assert len(inverses) > 10
    assert len(names) > 2
    assert all(callable(import_string(path)) for path in (*inverses, *names))


def acts_used() -> Iterator[str]:
    """Yield the key of each act that a service names."""
    for _feature, module in service_modules():
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text())):
            named = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            found = getattr(module, node.id, None) if named else None
            if isinstance(found, Act):
                yield found.key


def test_each_is_recorded_by_a_service() -> None:
    used = set(acts_used())
    of_tables = {key for key in acts() if key.split(".")[0] in TABLES}
    assert set(acts()) == used | of_tables


def test_they_stand_in_the_folder_of_a_feature_and_nowhere_else() -> None:
    root = Path(tournaments.__path__[0])
    made = re.compile(r"(?<!\w)Act\(\n|partial\(Act\b")
    found = {path.relative_to(root) for path in root.rglob("*.py") if made.search(path.read_text())}
    assert {len(path.parts) for path in found} == {2}
    assert {path.name for path in found} == {"acts.py", "services.py"}
    assert len({path.parent for path in found}) > 20


def test_an_unknown_key_is_its_own_word() -> None:
    assert action_label("thing.invented") == "thing.invented"
    with pytest.raises(KeyError):
        act_by_key("thing.invented")


OF_NOBODY = {
    "event.created": "no event yet: ``can_create_events``",
    "event.formula_changed": "by the author of the formula",
    "entry.registered": "by anybody while registration is open",
    "entry.promoted": "by rule",
    "paper.failed": "by rule",
    "person.shown": "by the account whose page it is",
    "person.hidden": "by the account whose page it is",
    "staff.accepted": "by who was invited",
}


def test_each_says_who_may_do_it_or_why_nobody_of_the_event() -> None:
    silent = {act.key for act in acts().values() if act.may is None and not act.player_may}
    assert silent == set(OF_NOBODY)


def test_each_state_is_a_transition_of_events() -> None:
    states = {act.state for act in acts().values() if act.state}
    assert states <= set(EVENT)
    assert len(states) > 5


@pytest.mark.django_db
def test_nobody_begins_one_of_the_staff_without_the_right() -> None:
    event = make.event(make.organiser())
    of_staff = [act for act in acts().values() if act.may]
    assert len(of_staff) > 60
    for act in of_staff:
        with transaction.atomic(), pytest.raises(PermissionDenied):
            begin_act(event, act, by=Actor())
