"""A multiple of the usual ceilings for each account; programs of the operator have none."""

from typing import Any

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import migrations, models


def no_ceiling_for_programs(apps: Any, schema_editor: Any) -> None:
    """Lift the ceiling of accounts without a usable password, which only a command makes."""
    users = apps.get_model("accounts", "User").objects
    users.filter(password__startswith=UNUSABLE_PASSWORD_PREFIX).update(ceiling_factor=0)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_person_key"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="ceiling_factor",
            field=models.PositiveSmallIntegerField(
                default=1,
                help_text="How much the account may hold, as a multiple of the usual; 0 for no ceiling.",
                verbose_name="times the usual ceilings",
            ),
        ),
        migrations.RunPython(no_ceiling_for_programs, migrations.RunPython.noop),
    ]
