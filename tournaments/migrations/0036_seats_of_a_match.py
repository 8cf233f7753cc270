from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0035_number_seats'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('size__range', (1, 5))), name='seats_of_a_match'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('a__isnull', False), ('size__lt', 3)), models.Q(('a__isnull', True), ('size__gte', 3)), _connector='OR'), name='a_unless_three_or_more'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('b__isnull', False), ('size', 2)), models.Q(('b__isnull', True), models.Q(('size', 2), _negated=True)), _connector='OR'), name='b_where_two'),
        ),
        migrations.AddConstraint(
            model_name='matchseat',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='seat_once_a_match'),
        ),
    ]
