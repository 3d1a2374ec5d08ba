"""Which APIs are on, and since when accounts of Google's own are there."""

from .policies import granted_by_google
from .settings import NUMBER, PROJECT, SETTINGS
from .state import STATE, Refusal, now

AGENTS = {
    "artifactregistry.googleapis.com": "gcp-sa-artifactregistry",
    "cloudbuild.googleapis.com": "gcp-sa-cloudbuild",
    "cloudfunctions.googleapis.com": "gcf-admin-robot",
    "cloudscheduler.googleapis.com": "gcp-sa-cloudscheduler",
    "compute.googleapis.com": "compute-system",
    "eventarc.googleapis.com": "gcp-sa-eventarc",
    "file.googleapis.com": "cloud-filer",
    "firestore.googleapis.com": "gcp-sa-firestore",
    "monitoring.googleapis.com": "gcp-sa-monitoring-notification",
    "pubsub.googleapis.com": "gcp-sa-pubsub",
    "run.googleapis.com": "serverless-robot-prod",
    "tpu.googleapis.com": "cloud-tpu",
}
# Those that something here asks for.
ROLES = {"eventarc.googleapis.com": "roles/eventarc.serviceAgent"}
# On in a project that the console or gcloud made: general knowledge, not looked up.
DEFAULT_ON = {
    "bigquery.googleapis.com",
    "cloudapis.googleapis.com",
    "cloudtrace.googleapis.com",
    "datastore.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "servicemanagement.googleapis.com",
    "serviceusage.googleapis.com",
    "sql-component.googleapis.com",
    "storage-api.googleapis.com",
    "storage-component.googleapis.com",
    "storage.googleapis.com",
}
OTHERS = ["iam", "cloudresourcemanager", "storage", "logging", "secretmanager", "billingbudgets", "firebaserules"]
QUOTA = (
    "Your application is authenticating by using local Application Default Credentials. The billingbudgets.googleapis.com API"
    " requires a quota project, which is not set by default. To learn how to set your quota project, see"
    " https://cloud.google.com/docs/authentication/adc-troubleshooting/user-creds ."
)
# A person's login is charged to Google's own project for these, so that they need not be on in the user's.
CHARGED_ELSEWHERE = ("cloudresourcemanager.googleapis.com", "billingbudgets.googleapis.com")


def turn_on_at_start():
    """A new project, or one in which everything was used for long."""
    if SETTINGS.fresh:
        STATE["apis"].update({host: -1e6 for host in DEFAULT_ON})
    else:
        for host in [*AGENTS, *(f"{it}.googleapis.com" for it in OTHERS)]:
            enable(host, at=-1e6)


def check_on(host, headers):
    """Refuses a call whose API is off, or was turned on too recently to answer."""
    person, project = SETTINGS.caller == "adc", headers.get("X-Goog-User-Project")
    if person and host == "billingbudgets.googleapis.com" and not project:
        raise Refusal(403, QUOTA, reason="forbidden")
    if host == "serviceusage.googleapis.com" or (person and not project and host in CHARGED_ELSEWHERE):
        return
    since = STATE["apis"].get(host)
    if since is None or now() < since + SETTINGS.api_delay:
        raise Refusal(
            403,
            f"{host.split('.')[0]} API has not been used in project {NUMBER} before or it is disabled. Enable it by visiting"
            f" https://console.developers.google.com/apis/api/{host}/overview?project={NUMBER} then retry. If you enabled this"
            " API recently, wait a few minutes for the action to propagate to our systems and retry.",
            details=[
                {
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": "SERVICE_DISABLED",
                    "domain": "googleapis.com",
                    "metadata": {"service": host, "consumer": f"projects/{NUMBER}"},
                }
            ],
            reason="accessNotConfigured",
        )


def agent(short):
    return f"service-{NUMBER}@{short}.iam.gserviceaccount.com"


def enable(host, at=None):
    if host not in STATE["apis"]:
        since = now() if at is None else at
        STATE["apis"][host] = since
        if host in AGENTS and (SETTINGS.agents == "api" or at is not None and not SETTINGS.fresh):
            make_agent(host, since + SETTINGS.agent_delay)


def make_agent(host, at):
    """As Google makes them itself: with the role."""
    email = agent(AGENTS[host])
    STATE["agents"][email] = at
    if host in ROLES:
        granted_by_google("project/" + PROJECT, ROLES[host], "serviceAccount:" + email, at)
