from django.db import migrations


class Migration(migrations.Migration):
    """Drop what holds the columns of a match to the rows of its seats, which alone remain."""

    dependencies = [("tournaments", "0051_chain_without_signatures")]
    operations = [
        migrations.RemoveConstraint("match", "nobody_meets_themselves"),
        migrations.RemoveConstraint("match", "seats_of_a_match"),
        migrations.RemoveConstraint("match", "a_unless_three_or_more"),
        migrations.RemoveConstraint("match", "b_where_two"),
    ]
