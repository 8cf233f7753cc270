"""What the app sets up once its models are loaded."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from accounts.invitations import KINDS
from tournaments.chain.columns import LEFT_OUT
from tournaments.chain.lines import begin_chains
from tournaments.models.touched import watch
from tournaments.staff.services import ToTheStaff


def start(app: AppConfig) -> None:
    """Watch the rows that the log tells of, begin chains, and know who may sign up.

    Events without a chain get one; who is invited to the staff of an event may make an account.
    """
    watch(app.get_model(name) for name in LEFT_OUT)
    post_migrate.connect(begin_chains, sender=app)
    KINDS.append(ToTheStaff())
