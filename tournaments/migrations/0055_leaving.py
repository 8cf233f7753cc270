
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0054_seats_alone'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='leaving',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
