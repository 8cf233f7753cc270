from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0049_catalogue_version")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="absent",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
