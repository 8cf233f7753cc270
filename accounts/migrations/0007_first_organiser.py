from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_person_key")]

    operations = [
        migrations.AddField(
            model_name="signupinvitation",
            name="first",
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
