"""Three stages: text is cleaned, its words are counted, and the counts are added up."""

import json
import re
import sys
from collections import Counter
from pathlib import Path


def clean(path):
    return re.sub(r"[^a-z ]+", " ", path.read_text(encoding="utf-8").lower())


def count(path):
    return Counter(path.read_text().split())


def add(texts):
    total = Counter()
    for text in texts:
        total.update(json.loads(text))
    return {"words": sum(total.values()), "most": total.most_common(3)}


def add_objects(prefix):
    from google.cloud import storage

    bucket, _, folder = prefix.removeprefix("gs://").partition("/")
    blobs = storage.Client().list_blobs(bucket, prefix=folder)
    return add(blob.download_as_text() for blob in blobs if blob.name.endswith(".json"))


if __name__ == "__main__":
    stage, source, target = sys.argv[1:]
    if stage == "add":
        result = add(path.read_text() for path in Path(source).glob("*.json"))
    else:
        result = {"clean": clean, "count": count}[stage](Path(source))
    Path(target).write_text(result if isinstance(result, str) else json.dumps(result))
