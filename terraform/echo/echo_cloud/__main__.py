"""python3 -m echo_cloud: until it is ended. README.md beside this folder says what it is for."""

import importlib
import json
import signal
import sys

from .apis import turn_on_at_start
from .seed import seed
from .server import open_server
from .settings import SETTINGS

# Each adds its routes when it is read.
SERVICES = [
    "artifact_registry",
    "budgets",
    "cloud_logging",
    "compute",
    "filestore",
    "firebase_rules",
    "firestore",
    "functions",
    "iam",
    "monitoring",
    "pubsub",
    "resource_manager",
    "scheduler",
    "secret_manager",
    "service_usage",
    "storage",
]


def main():
    for service in SERVICES:
        importlib.import_module(f".{service}", __package__)
    turn_on_at_start()
    if SETTINGS.seed:
        with open(SETTINGS.seed, encoding="utf-8") as file:
            seed(json.load(file))
    server = open_server()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
