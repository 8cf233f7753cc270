"""``manage.py line_key > FILE``: write the keys that sign this site's log lines.

They follow from ``SECRET_KEY``, which can't be computed from them. Exit 0.
"""

import json
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from tournaments.chain.accepted import key_file
from tournaments.chain.keys import own_keys


class Command(BaseCommand):
    """Writes this site's keys, which are secret, as a file for ``accept_key`` of another site."""

    help = (
        "Writes the keys that sign this site's log lines, for `accept_key` on another site, never "
        "SECRET_KEY. Who has them can sign lines as this site does: keep the file from others."
    )

    def handle(self, *args: object, **options: Any) -> None:
        """Write the keys to the output, and a warning about them to the error output."""
        self.stdout.write(json.dumps(key_file(own_keys()), indent=1))
        self.stderr.write(
            _("Whoever has this file can sign log lines as this site does: give it to nobody else.")
        )
