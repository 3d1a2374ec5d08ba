"""How this cloud behaves. Each rule is a setting, and its usual value the strictest that somebody has reported of Google.

Each setting is an environment variable ECHO_…; `_echo/knobs` changes one while it runs. README.md says what each is from.
"""

import os
from types import SimpleNamespace

PROJECT, NUMBER = "lab-batch", "123456789012"  # the one project

USUAL = {
    "PORT": 8900,
    "LOG": "requests.jsonl",
    "SEED": "",  # a file that names what is there before
    "BODIES": 0,  # 1: what is sent is in the log too
    # Who calls, and from where
    "CALLER": "adc",  # adc: a person's login, which some calls are not charged to; sa: a service account, each API has to be on
    "FRESH": 1,  # 1: a new project, in which few APIs are on; 0: everything was used for long
    "CURRENCY": "EUR",  # of the billing account
    "CUSTOMER": "example.org",  # domain restricted sharing: people of this domain alone; empty: everybody
    "NO_SCHEDULER": "us-central2",  # regions without Cloud Scheduler, with commas
    "NAMES_TAKEN": "",  # buckets that somebody else has, with commas
    # What takes effect late, in seconds
    "POLLS": 2,  # a long-running operation is done when it is asked about for this time
    "DURATIONS": "",  # seconds that operations take at least, by kind: database=30,field=20
    "API_DELAY": 40.0,  # until an API that was turned on answers
    "AGENTS": "lazy",  # lazy: Google's own accounts come with the first call that needs them; api: with their API
    "AGENT_DELAY": 20.0,  # until such an account is there
    "ACCOUNT_DELAY": 20.0,  # until policies know a new service account
    "GRANT_DELAY": 30.0,  # until a grant takes effect
    "METRIC_DELAY": 600.0,  # until alerts know a metric of one's own
    "SINK_DELAY": 0.0,  # until the identity that a sink writes as is there
    "BUILD_AT": 10.0,  # after the call, when a function's build uses its rights
    "TRIGGER_AT": 15.0,  # after the call, when a function's trigger is made
    # What is refused, and goes well when it is tried again
    "CONFLICTS": 1,  # so many changes of a policy that was changed a moment ago meet another change first
    "FIELD_CONFLICTS": 1,  # so many changes of a field are refused while others run; the provider tries these again
    "FIELDS_AT_ONCE": 10,  # while so many others run, a change of a field is refused; the provider does not try again
    "REVISIONS_LATE": 0,  # so many deployments end with a revision that is not ready
}


def of(environment):
    """Settings as the environment has them, each of the type of its usual value."""
    values = {name.lower(): type(usual)(environment.get("ECHO_" + name, usual)) for name, usual in USUAL.items()}
    values["durations"] = {kind: float(text) for kind, text in (it.split("=") for it in values["durations"].split(",") if it)}
    return SimpleNamespace(**values)


SETTINGS = of(os.environ)


def listed(setting):
    """The words of a setting that has several."""
    return [it for it in getattr(SETTINGS, setting).split(",") if it]
