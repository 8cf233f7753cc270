"""The program that checks transcripts, as a stranger runs it."""

import pytest

from tests.transcripts import check


@pytest.fixture
def checked(tmp_path):
    """Return a function that has the program check a document: its exit code and its words."""

    def run(document, *more):
        return check(tmp_path / "transcript.json", document, *more)

    return run
