"""Events of before there were chains get theirs when the database is brought up to date."""

from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.migrations.executor import MigrationExecutor

from tournaments.chain.heads import keep_head
from tournaments.chain.lines import begin
from tournaments.models import Event


def begin_chains(using: str, **_signal: Any) -> None:
    """Chain every log that has lines and no digest; each event in a transaction of its own.

    It waits until all migrations have run: then the tables have the columns that the program knows.
    """
    executor = MigrationExecutor(connections[using])
    if using != DEFAULT_DB_ALIAS or executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    keys = Event.objects.filter(head="", version__gt=0).order_by("pk").values_list("pk", flat=True)
    for key in list(keys):
        with transaction.atomic():
            event = Event.objects.select_for_update().get(pk=key)
            if begin(event) is not None:
                keep_head(event)
