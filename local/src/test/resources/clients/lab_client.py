"""A whole job by Google's Python clients alone, over the laptop cloud or over Google's emulators.

Arguments: the cloud's endpoint, Pub/Sub's endpoint, the file with the owner's token, a prefix for
names, and where there is one, the Firestore emulator's host and port.
"""

import json
import os
import sys
import threading
import time

from google.api_core.exceptions import GoogleAPICallError, UnknownNameException
from google.cloud import pubsub_v1, storage
from google.oauth2.credentials import Credentials

cloud, messages, token, name = sys.argv[1:5]
firestore_host = sys.argv[5] if len(sys.argv) > 5 else None
PROJECT = "mayfly-local"
PATIENCE = 300  # seconds
INPUTS = 12


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, wanted {wanted!r}")
    print(f"  {what}")


owner = Credentials(open(token).read().strip())
objects = storage.Client(project=PROJECT, credentials=owner, client_options={"api_endpoint": cloud})
bucket = objects.create_bucket(name, location="us-central1")
for i in range(INPUTS):
    bucket.blob(f"in/{i:02} ü.txt").upload_from_string(f"text {i}\n")
check("inputs", len(list(objects.list_blobs(name, prefix="in/"))), INPUTS)

publisher = pubsub_v1.PublisherClient(
    transport="rest",
    credentials=owner,
    client_options={"api_endpoint": messages},
)


def publish(topic, document):
    path = publisher.topic_path(PROJECT, topic)
    return publisher.publish(path, json.dumps(document).encode()).result(timeout=60)


topics = {t.name.rsplit("/", 1)[1] for t in publisher.list_topics(project=f"projects/{PROJECT}")}
check("topics", {"mayfly-jobs", "mayfly-clusters"} <= topics, True)
described = publisher.get_topic(topic=publisher.topic_path(PROJECT, "mayfly-jobs"))
check("topic", described.name, f"projects/{PROJECT}/topics/mayfly-jobs")
try:
    publish("nobodys-topic", {})
    sys.exit("a topic that is not there took a message")
except UnknownNameException:
    print("  no such topic")
except GoogleAPICallError as e:
    sys.exit(f"no such topic: {e!r}")

jobs = []
watch = None
changed = threading.Event()
if firestore_host:
    os.environ["FIRESTORE_EMULATOR_HOST"] = firestore_host
    from google.cloud import firestore

    ledger = firestore.Client(project=PROJECT)

    def look(documents, changes, at):
        jobs[:] = [d.to_dict() for d in documents]
        changed.set()

    watch = ledger.collection_group("jobs").on_snapshot(look)

API = "mayfly.dev/v1"
machines = {"min": 0, "max": 2, "idleAfter": "10s"}
pool = {"name": "cpu", "machine": {"type": "e2-standard-2"}, "zones": ["us-central1-a"]}
pool |= {"provisioning": "spot", "workers": machines}
cluster = {"apiVersion": API, "kind": "Cluster", "name": name, "bucket": f"gs://{name}"}
publish("mayfly-clusters", cluster | {"pools": [pool]})
upper = 'tr a-z A-Z <"$1" >"$2"'
tasks = {"inputs": f"gs://{name}/in/*.txt", "output": f"gs://{name}/out/{{stem}}.txt"}
job = {"apiVersion": API, "kind": "Job", "name": "upper", "cluster": name, "tasks": tasks}
job |= {"command": ["sh", "-c", upper, "upper", "{inputFile}", "{outputFile}"]}
job |= {"resources": {"cpu": 1, "memory": "64Mi"}, "timeout": "2m", "submission": f"{name}-1"}
publish("mayfly-jobs", job)
publish("mayfly-jobs", job)  # as Pub/Sub does now and then

began = time.monotonic()
while True:
    done = [b for b in objects.list_blobs(name, prefix="out/") if b.name.endswith(".COMPLETE")]
    if len(done) == INPUTS:
        break
    if time.monotonic() - began > PATIENCE:
        sys.exit(f"{len(done)} of {INPUTS} sentinels after {PATIENCE} s")
    time.sleep(0.5)
print(f"  {INPUTS} sentinels, {time.monotonic() - began:.1f} s after the job's message")
for i in range(INPUTS):
    check(f"output {i}", bucket.blob(f"out/{i:02} ü.txt").download_as_text(), f"TEXT {i}\n")
sentinel = json.loads(bucket.blob("out/00 ü.txt.COMPLETE").download_as_text())
output = bucket.get_blob("out/00 ü.txt")
check("the sentinel's generation", sentinel["generation"], output.generation)
check("the sentinel's checksum", sentinel["crc32c"], output.crc32c)

if firestore_host:
    while not (len(jobs) == 1 and "succeeded" in str(jobs[0]["state"]).lower()):
        if time.monotonic() - began > PATIENCE:
            sys.exit(f"watched jobs: {jobs}")
        changed.wait(1)
        changed.clear()
    print("  the watched job succeeded")
    watch.unsubscribe()
    check("one job of two messages", [job["spec"]["name"] for job in jobs], ["upper"])
    counted = ledger.collection_group("events").count().get()[0][0].value
    check("counted events", counted > INPUTS / 2, True)

    @firestore.transactional
    def read(transaction):
        found = list(ledger.collection_group("jobs").stream(transaction=transaction))
        return [d.get("spec.name") for d in found]

    check("read in a transaction", read(ledger.transaction()), ["upper"])
    check("no such document", ledger.document("rejections/none").get().exists, False)

publish("mayfly-clusters", {"apiVersion": API, "kind": "DownCluster", "cluster": name})
