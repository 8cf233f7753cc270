"""The chain of the log: each line's digest follows from the line before and its own content."""

import json
from hashlib import sha256

FIRST = "0" * 64


def no_duplicates(pairs):
    """Return the pairs of a JSON object; raises ValueError where a key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def check_chain(log, paper, verdicts):
    """Check the digest and the number of every line, and that one has the print on paper.

    Return the digest of the last line.
    """
    before, last = log["before"], 0
    verdicts.check(
        before == FIRST, "beginning of the log", "the log does not begin at its beginning"
    )
    for line in log["lines"]:
        content = {key: line[key] for key in line if key not in ("digest", "signature")}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        would = sha256((before + text).encode("utf-8", "surrogatepass")).hexdigest()
        words = f"line {line['number']} is not as it was written"
        verdicts.check(line["digest"] == would, "lines of the log", words)
        if last:
            words = f"line {line['number']} follows line {last}"
            verdicts.check(line["number"] == last + 1, "numbers of lines", words)
        before, last = line["digest"], line["number"]
    if paper:
        held = any(line["digest"].startswith(paper) for line in log["lines"])
        verdicts.check(held, "print on paper", f"no line has the print {paper}")
    return before
