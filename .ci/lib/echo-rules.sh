# One rule of the echo cloud at a time, turned against the minimal example, for .ci/terraform-echo: how the apply ends, in whose
# words, what is there then, and what mends it. All other waits are zero, so that a case takes a minute or two.
rules=(agents late_api service_account taken_name no_scheduler customer contention datastore revision)
# shellcheck disable=SC2034 # override reads settle
settle=0

case_of() {  # RULE [SETTING=VALUE...]
  laid "$1" minimal ECHO_POLLS=1 ECHO_API_DELAY=0 ECHO_AGENT_DELAY=0 ECHO_ACCOUNT_DELAY=0 ECHO_GRANT_DELAY=0 ECHO_CONFLICTS=0 \
    ECHO_FIELD_CONFLICTS=0 "${@:2}"
  phase=refused
}
mended() { phase=mended; apply; phase=planned; empty_plan; told_time "$1"; }

# Eventarc's own account comes with the first trigger, too late for it; one that was asked for has no role.
rule_agents() {
  local absent="Google's own account of eventarc.googleapis.com is not there, or lacks its role"
  case_of agents
  typed "gcloud services enable cloudresourcemanager.googleapis.com serviceusage.googleapis.com iam.googleapis.com --project=lab-batch"
  refused "$absent" tf plan
  cp "$work/words" "$work/remedy"
  typed "gcloud beta services identity create --service=eventarc.googleapis.com --project=lab-batch"
  refused "$absent" tf plan
  # The commands that the error has, as somebody copies them.
  [ "$(grep -c '^ *gcloud ' "$work/remedy")" = 3 ] || failed "the error has not its three commands"
  typed "$(grep '^ *gcloud ' "$work/remedy")" || failed "the error's own commands"
  tf plan || failed "the plan is refused after the error's own commands"
  told_time "without Eventarc's account the plan says how to make it, and its commands do"
  # A kinder Google.
  case_of kinder_agents ECHO_AGENTS=api
  typed "gcloud services enable cloudresourcemanager.googleapis.com serviceusage.googleapis.com iam.googleapis.com eventarc.googleapis.com --project=lab-batch"
  tf plan || failed "the plan is refused where accounts come with their APIs"
  told_time "where accounts come with their APIs, nothing else is wanted"
}

# APIs answer after the configuration has stopped waiting.
rule_late_api() {
  case_of late_api ECHO_API_DELAY=30
  prepared
  refused "has not been used in project" tf apply -auto-approve
  told knobs '{"api_delay": 0}'
  mended "APIs that answer too late: $refusals errors that say so, and the next apply goes on"
}

# Nothing is charged to Google's own project, and policies learn of accounts late.
rule_service_account() {
  settle=30 case_of service_account ECHO_CALLER=sa ECHO_API_DELAY=25 ECHO_AGENT_DELAY=15 ECHO_ACCOUNT_DELAY=20 ECHO_GRANT_DELAY=20
  prepared
  mark first
  apply
  judged first
  told_time "a service account, applied at the first go"
}

# Names of buckets are worldwide.
rule_taken_name() {
  case_of taken_name ECHO_NAMES_TAKEN=lab-batch-lab
  prepared
  refused "The requested bucket name is not available" tf apply -auto-approve
  [ "$refusals" = 1 ] || failed "$refusals errors for one name"
  override '  clusters = { lab = { bucket = "lab-batch-lab-2", location = "us-central1" } }'
  mended "a bucket's name that somebody has: one error, and another name does"
}

# A region without Cloud Scheduler is found before the database is made, which does not move.
rule_no_scheduler() {
  case_of no_scheduler ECHO_NO_SCHEDULER=us-central1
  prepared
  refused "Location 'us-central1' is not found" tf apply -auto-approve
  has firestore/projects/ && failed "a database was made where there are no ticks"
  has functions/projects/ && failed "functions were made where there are no ticks"
  override '  region = "us-east1"'
  mended "a region without Cloud Scheduler: $refusals errors, and another region does"
}

# Domain restricted sharing.
rule_customer() {
  case_of customer ECHO_CUSTOMER=lab.example
  prepared
  refused "do not belong to a permitted customer" tf apply -auto-approve
  vars[-1]='people=["user:ada@lab.example"]'
  mended "a person of another domain: $refusals errors, and one of the organisation's does"
}

# Thirty fields at once, which terraform/README.md advises against.
rule_contention() {
  case_of contention ECHO_DURATIONS=field=8
  prepared
  refused "Aborted due to cross-transaction contention" tf apply -auto-approve -parallelism=30
  mended "fields in contention: $refusals errors with -parallelism=30, and an apply without goes on"
}

# A database of that name, of another program.
rule_datastore() {
  case_of datastore
  prepared
  told seed '{"objects": {"firestore/projects/lab-batch/databases/mayfly": {"name": "projects/lab-batch/databases/mayfly", "type": "DATASTORE_MODE", "locationId": "us-central1", "concurrencyMode": "OPTIMISTIC", "etag": "MTIz"}}}'
  refused "Database already exists" tf apply -auto-approve
  tf import module.mayfly.module.control_plane.google_firestore_database.state projects/lab-batch/databases/mayfly || failed "import"
  refused "is of the kind DATASTORE_MODE" tf plan
  (cd "$folder" && terraform state rm module.mayfly.module.control_plane.google_firestore_database.state) >"$work/words" 2>&1 || failed "state rm"
  override '  database = { name = "mayfly-2" }'
  mended "somebody else's database is not taken, and another name does"
}

# Two deployments end half made.
rule_revision() {
  case_of revision ECHO_REVISIONS_LATE=2
  prepared
  refused "is not ready and cannot serve traffic" tf apply -auto-approve
  [ "$refusals" = 2 ] || failed "$refusals errors for two functions"
  mended "two functions that are not ready: the next apply makes them anew"
}
