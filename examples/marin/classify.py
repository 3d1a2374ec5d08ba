#!/usr/bin/env python3
"""Scores how rude each post of one file is: a pure function from an input file to an output file.

    python3 classify.py INPUT.jsonl.gz OUTPUT.jsonl.gz [--seconds AT_LEAST] [--while FILE]
    python3 classify.py --stay      file after file, as a job with runner: true gives them (warm.yaml)

Input: gzipped JSON lines, each with the strings "id" and "text". Output: a line for each of them, in the same
order, with "id", "score" (0 to 1) and "label". Equal inputs give equal bytes, so running a task twice does no harm.
Needs Python 3.8 or later and weights.tsv beside it, nothing else.

Exit codes: 0 done, 1 bad input or no room, 2 wrong arguments.
"""

import argparse
import gzip
import json
import math
import re
import sys
import time
import zlib
from collections import Counter
from pathlib import Path

TOXIC = 0.5


class BadInput(Exception):
    """The user's data is not what this program reads; the message has the place."""


def posts(path):
    """The (id, text) of each line."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    post = json.loads(line)
                except ValueError as e:
                    raise BadInput(f"{path}: line {number}: {e}")
                for name in ("id", "text"):
                    if not isinstance(post, dict) or not isinstance(post.get(name), str):
                        raise BadInput(f'{path}: line {number}: no string "{name}"')
                yield post["id"], post["text"]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as e:
        raise BadInput(f"{path}: {e}")


def words(text):
    return re.split("[^a-z']+", text.lower().replace("\u2019", "'"))


class Classifier:
    """A word or pair of words and its log-odds a line; one without a name is the bias."""

    def __init__(self, path):
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        rows = (line.split("\t") for line in lines if "\t" in line and not line.startswith("#"))
        self.weights = {term: float(weight) for term, weight in rows}

    def score(self, text):
        """The logistic of the bias plus, for each known term seen n times, its log-odds times ln(1 + n)."""
        counts, before = Counter(), ""
        for word in words(text):
            counts.update(term for term in (word, before + " " + word) if term in self.weights)
            before = word
        log_odds = self.weights.get("(bias)", 0.0)
        for term in sorted(counts):
            log_odds += self.weights[term] * math.log1p(counts[term])
        return 1 / (1 + math.exp(-log_odds))


def classify(classifier, source, target):
    """How many posts there were, and how many of them are toxic."""
    read = toxic = 0
    # Without a name and a time in the header, the bytes depend on the lines alone.
    with open(target, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as out:
        for post, text in posts(source):
            score = classifier.score(text)
            label = "toxic" if score >= TOXIC else "fine"
            line = {"id": post, "score": round(score, 4), "label": label}
            out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            read += 1
            toxic += score >= TOXIC
    return read, toxic


def stay(classifier):
    """Scores the files of task after task: a line with each task comes from descriptor 3, its answer goes to 4."""
    with open(3, encoding="utf-8") as tasks, open(4, "w", encoding="utf-8") as answers:
        for task in map(json.loads, tasks):
            code = 0
            try:
                read, toxic = classify(classifier, task["input"], task["output"])
                print(f"{read} posts, {toxic} toxic", flush=True)
            except (BadInput, OSError) as e:
                print(e, file=sys.stderr, flush=True)
                code = 1
            print(json.dumps({"task": task["task"], "exitCode": code}), file=answers, flush=True)


def main():
    began = time.monotonic()
    parser = argparse.ArgumentParser()
    parser.add_argument("input", nargs="?")
    parser.add_argument("output", nargs="?")
    parser.add_argument("--stay", action="store_true", help="score the files of task after task")
    parser.add_argument("--seconds", type=int, default=0, help="as long as a real model would take")
    parser.add_argument("--while", dest="held", metavar="FILE", help="and as long as this file exists")
    arguments = parser.parse_args()
    others = [arguments.input, arguments.output, arguments.seconds, arguments.held]
    if any(others) if arguments.stay else not arguments.output:
        parser.error("name an input and an output, or --stay alone")
    classifier = Classifier(Path(__file__).with_name("weights.tsv"))
    if arguments.stay:
        print(f"{len(classifier.weights)} weights loaded", flush=True)
        return stay(classifier)
    try:
        read, toxic = classify(classifier, arguments.input, arguments.output)
    except (BadInput, OSError) as e:
        sys.exit(str(e))
    time.sleep(max(0.0, began + arguments.seconds - time.monotonic()))
    while arguments.held and Path(arguments.held).exists():
        time.sleep(0.2)
    print(f"{read} posts, {toxic} toxic")


if __name__ == "__main__":
    main()
