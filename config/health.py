"""Answers for a supervisor: is the process alive, can it serve. No session, no account."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Say that the process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Say that the database answers and has all migrations; 503 otherwise."""
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return HttpResponse("database\n", status=503, content_type="text/plain")
    if waiting:
        return HttpResponse("migrations\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")
