"""The fingerprint by which changes of questions are noticed."""

import json
from hashlib import sha256

from rules.events.questions import Question


def fingerprint_of(*questions: Question) -> str:
    text = json.dumps([one.as_json() for one in questions], sort_keys=True)
    return sha256(text.encode()).hexdigest()[:20]
