from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0053_players_from_seats")]
    operations = [
        migrations.RemoveField("match", "a"),
        migrations.RemoveField("match", "b"),
        migrations.RemoveField("match", "size"),
        migrations.AddConstraint(
            "matchseat",
            models.CheckConstraint(
                condition=models.Q(number__range=(1, 5)), name="seats_of_a_match"
            ),
        ),
    ]
