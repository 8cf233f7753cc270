"""Commands of the site: ``manage.py COMMAND`` in the repository, ``girone COMMAND`` elsewhere."""

from collections.abc import Sequence

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, execute_from_command_line

from config import terminal


def run_management_command(program: str, arguments: Sequence[str]) -> None:
    """Run a management command from the command line; hyphens in its name become underscores.

    program: name shown in usage messages. arguments: the command's name and its arguments.
    ``version`` and ``--version`` run this site's command instead of Django's.
    """
    try:
        terminal.set_up_django()
    except ImproperlyConfigured:
        if apps.loading:  # begun, it can't be begun again
            raise  # else the command says it
    if list(arguments) in (["version"], ["--version"]):
        call_command("version")
        return
    name = [word.replace("-", "_") for word in arguments[:1] if not word.startswith("-")]
    execute_from_command_line([program, *name, *arguments[len(name) :]])
