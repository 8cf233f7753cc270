import logging, os, pytest
from django.db import transaction
from tests.lives.test_own_pages import live

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(*map(int, os.environ["SEEDS"].split("-"))))
def test_hunt(seed):
    logging.disable(logging.CRITICAL)
    with transaction.atomic():
        live(seed)
        transaction.set_rollback(True)
