"""How this cloud behaves. Each setting is an environment variable ECHO_…; `_echo/knobs` changes one while it runs."""

import os
from types import SimpleNamespace

NUMBER = "123456789012"  # of the project

USUAL = {
    "PORT": 8900,
    "LOG": "requests.jsonl",
    "SEED": "",  # a file that names what is there before
    "POLLS": 2,  # a long-running operation is done when it is asked about for this time
    "DURATIONS": "",  # seconds that operations take at least, by kind: database=30,field=20
    "API_DELAY": 0.0,  # seconds until an API that was turned on answers
    "AGENT_DELAY": 0.0,  # seconds until a service agent is there after its API was turned on
    "GRANT_DELAY": 0.0,  # seconds until a grant takes effect
    "METRIC_DELAY": 0.0,  # seconds until alerts know a metric of one's own
    "SINK_DELAY": 0.0,  # seconds until the identity that a sink writes as is there
    "BUILD_AT": 10.0,  # seconds after the call when a function's build uses its rights
    "TRIGGER_AT": 60.0,  # seconds after the call when a function's trigger is made
    "CALLER": "sa",  # sa: each API has to be on; adc: a person's login, which some calls are not charged to
    "CURRENCY": "USD",  # of the billing account
    "FRESH": 1,  # 1: a new project, in which few APIs are on
    "CONFLICTS": 0,  # so many changes of a policy meet another change first
    "BODIES": 0,  # 1: what is sent is in the log too
}


def of(environment):
    """Settings as the environment has them, each of the type of its usual value."""
    values = {name.lower(): type(usual)(environment.get("ECHO_" + name, usual)) for name, usual in USUAL.items()}
    values["durations"] = {kind: float(text) for kind, text in (it.split("=") for it in values["durations"].split(",") if it)}
    return SimpleNamespace(**values)


SETTINGS = of(os.environ)
