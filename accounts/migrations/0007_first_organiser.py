from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_ceiling_factor")]

    operations = [
        migrations.AddField(
            model_name="signupinvitation",
            name="first",
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
