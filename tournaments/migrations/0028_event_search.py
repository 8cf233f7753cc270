from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('decks', '0003_archived_rules'),
        ('tournaments', '0027_information_and_overtime'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='event',
            name='events_by_name',
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['state', 'name', 'venue'], name='events_by_name'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['state', 'format'], name='events_by_format'),
        ),
    ]
