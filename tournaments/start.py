"""Connect signals and registries once the app's models are loaded."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from accounts.invitations import KINDS
from tournaments.chain.columns import LEFT_OUT
from tournaments.chain.lines import begin_chains
from tournaments.models.touched import watch
from tournaments.staff.services import ToTheStaff


def start(app: AppConfig) -> None:
    """Watch the models of the log's chain, and register invitations to the staff.

    After a migration, events without a chain get one.
    """
    watch(app.get_model(name) for name in LEFT_OUT)
    post_migrate.connect(begin_chains, sender=app)
    KINDS.append(ToTheStaff())
