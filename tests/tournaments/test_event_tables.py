"""What the models declare of tables and columns: complete, and in an order that can be stored."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from decks.models import CardListVersion, Decklist, FormatVersion, HouseFormat
from tests import factories as make
from tournaments.api.serialization import (
    event_json,
    match_json,
    round_json,
    stage_json,
)
from tournaments.chain.lines import CLOSED as CLOSED_OF_LINES
from tournaments.core.event_state import load_facts
from tournaments.core.valid_columns import ARCHIVED, BY_MODEL, LOGGED, OWN, TABLES, UNDOABLE
from tournaments.models import (
    Contact,
    Entry,
    Event,
    JoinClaim,
    LogLine,
    Match,
    Report,
    Round,
    SavedFormula,
    Snapshot,
    StaffRole,
    Stage,
)
from tournaments.models.tables import DECLARED, MARKS, Model, Table, TextErasure
from tournaments.players.api import player_json


def undeclared(model: Model) -> Iterator[str]:
    """Yield what is to be written about a model and its columns, and is not."""
    if model not in DECLARED:
        place = inspect.getsourcefile(model)
        yield f"{model.__name__}: write ``declared = Table({{...}})`` into the model in {place}."
        return
    table = DECLARED[model]
    there = {field.name: field for field in model._meta.concrete_fields if not field.primary_key}
    for name in sorted(there.keys() - table.all_columns.keys()):
        yield (
            f"{model.__name__}.{name}: say in ``declared`` of the model what this column is: OPEN, "
            "CLOSED or why the record leaves it out, and what an erasure does with its text."
        )
    for name in sorted(table.all_columns.keys() - there.keys()):
        yield f"{model.__name__}.{name}: there is no such column: take it out of ``declared``."
    for name in there.keys() & table.all_columns.keys():
        yield from unsaid(table, there[name])


def unsaid(table: Table, field: Any) -> Iterator[str]:
    """Yield what is not said of a column that is declared."""
    column, name = table.all_columns[field.name], f"{table.model.__name__}.{field.name}"
    typed = isinstance(field, models.CharField | models.TextField | models.JSONField)
    if typed and not field.choices and not column.words:
        yield f"{name}: say what an erasure does with its text (``TextErasure``), or why it stays."
    if table in LOGGED and not column.logged:
        yield f"{name}: say OPEN or CLOSED, or why the record leaves it out."
    if table not in LOGGED and column.logged:
        yield f"{name}: the record tells nothing of this table: leave out {column.logged!r}."


def test_every_column_of_every_model_says_what_it_is():
    models_here = {*apps.get_app_config("tournaments").get_models(), *DECLARED}
    assert sorted(each for model in models_here for each in undeclared(model)) == []


def test_whoever_forgets_a_column_or_a_table_reads_what_to_write():
    class Note(models.Model):
        text = models.TextField()
        kind = models.TextField()

        class Meta:
            app_label = "invented"

        def __str__(self) -> str:
            return self.text

    assert ["declared = Table" in each for each in undeclared(Note)] == [True]
    Table({"text gone": ""}).contribute_to_class(Note)
    try:
        assert [each.split(":")[0] for each in undeclared(Note)] == [
            *("Note.kind", "Note.gone", "Note.text"),
        ]
    finally:
        del DECLARED[Note]


def test_tables_of_others_are_named_and_emptied_rows_are_those_of_a_player():
    shared = {table.model for table in TABLES} - {table.model for table in OWN}
    assert shared == {CardListVersion, FormatVersion, HouseFormat, SavedFormula, Decklist}
    assert Snapshot not in BY_MODEL
    assert {table.model.__name__ for table in LOGGED} == set(MARKS)
    assert {table.model for table in TABLES if table.columns_with_text(TextErasure.OWN)} == {
        Entry,
        Decklist,
    }
    assert BY_MODEL[LogLine].columns_with_text(TextErasure.SEARCHED) == CLOSED_OF_LINES


def test_each_row_comes_after_those_that_it_names():
    seen, wrong = set(), []
    for table in TABLES:
        seen.add(table.model)
        for field in table.columns:
            known = field.related_model in seen or field.name in table.later
            if field.related_model in BY_MODEL and not known:
                wrong.append(f"{table.model.__name__}.{field.name}")
    assert wrong == []


def test_what_waits_for_later_tables_may_be_empty_until_then():
    for table in TABLES:
        for name, value in table.later.items():
            field = table.model._meta.get_field(name)
            assert value is not None or field.null, name
            assert value is None or value == field.get_default(), name


def test_an_undo_puts_back_all_but_what_only_grows_or_is_forgotten():
    left = {table.model for table in OWN} - {table.model for table in UNDOABLE}
    assert left == {LogLine, Contact, JoinClaim}
    assert [table.model for table in ARCHIVED if table.here_only] == [StaffRole]
    assert UNDOABLE[0].model is Event


def in_api(*kinds: Model) -> dict[str, str]:
    """Return the columns of tables that the API shows, with what it calls them."""
    words = [word for model in kinds for word in DECLARED[model].api.split()]
    return {name: other or name for name, _is, other in (word.partition("=") for word in words)}


def paths(shown: dict[str, Any], before: str = "") -> set[str]:
    """Return the keys of an answer, those within others behind a dot."""
    nested = {f"{before}{key}": value for key, value in shown.items()}
    deeper = [paths(v, f"{key}.") for key, v in nested.items() if isinstance(v, dict)]
    return set(nested).union(*deeper)


@pytest.mark.deep
@pytest.mark.django_db
def test_the_api_shows_what_the_models_say_under_these_names_and_no_other_column(by):
    facts = load_facts(make.played(by, 4, formula="single-group"))
    stage = facts.stages[0]
    item = stage.rounds[0]
    answers = {
        (Event,): event_json(facts.event) | {"information": ""},  # at an address of its own
        (Entry,): player_json(facts.entries[1]),
        (Stage,): stage_json(stage),
        (Round,): round_json(facts, stage, item),
        (Match, Report): match_json(facts, stage, item, stage.matches_of(item)[0]),
    }
    for kinds, answer in answers.items():
        said = in_api(*kinds)
        others = {name for kind in kinds for name in DECLARED[kind].all_columns} - said.keys()
        assert paths(answer) >= set(said.values())
        assert not (others - set(said.values())) & paths(answer)
