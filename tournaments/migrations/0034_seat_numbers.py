import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0033_restoration_outlives_event'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='size',
            field=models.PositiveSmallIntegerField(default=2),
        ),
        migrations.AddField(
            model_name='matchseat',
            name='number',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AlterField(
            model_name='match',
            name='a',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='matches_as_a', to='tournaments.entry'),
        ),
    ]
