"""The one list of an event's tables: complete, and in an order in which rows can be stored."""

from django.apps import apps

from decks.models import CardListVersion, Decklist, HouseFormat
from tournaments.core.event_tables import ARCHIVED, BY_MODEL, OWN, TABLES, UNDOABLE
from tournaments.models import Event, LogLine, SavedFormula, Snapshot, StaffRole

BESIDE = {
    "ErasedAccount": "an address that an archive must not bring back",
    "ErasedPlayer": "a player whom an archive must not bring back",
    "GivenAnswer": "what the API answered an account",
    "KeptRows": "how rows differ, by keys of this installation",
    "RemainingMention": "texts to look at after an erasure; whoever erased looks at them",
    "Restoration": "who brought an archive",
    "Snapshot": "rows of the event themselves",
    "TokenScope": "how far a token of an account reaches",
}
"""Tables of the app that are no part of an event."""


def test_every_table_of_the_app_is_one_of_an_event_or_beside_it():
    models = set(apps.get_app_config("tournaments").get_models())
    listed = [table.model for table in TABLES if table.model in models]
    assert sorted([*(model.__name__ for model in listed), *BESIDE]) == sorted(
        model.__name__ for model in models
    )
    shared = {table.model for table in TABLES} - {table.model for table in OWN}
    assert shared == {CardListVersion, HouseFormat, SavedFormula, Decklist}
    assert Snapshot not in BY_MODEL


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


def test_an_undo_puts_back_all_but_what_only_grows():
    assert {table.model for table in OWN} - {table.model for table in UNDOABLE} == {LogLine}
    assert [table.model for table in ARCHIVED if table.here_only] == [StaffRole]
    assert UNDOABLE[0].model is Event
