# Values that the provider itself takes: it refuses those that a mock makes up.
mock_provider "google" {
  mock_resource "google_service_account" {
    defaults = { name = "projects/lab-batch/serviceAccounts/mayfly-agent@lab-batch.iam.gserviceaccount.com" }
  }
  mock_resource "google_logging_project_sink" {
    defaults = { writer_identity = "serviceAccount:service-1@gcp-sa-logging.iam.gserviceaccount.com" }
  }
  mock_data "google_project_iam_policy" {
    defaults = { policy_data = "{\"bindings\":[{\"role\":\"roles/eventarc.serviceAgent\",\"members\":[\"serviceAccount:service-1@gcp-sa-eventarc.iam.gserviceaccount.com\"]}]}" }
  }
}

variables {
  project           = "lab-batch"
  region            = "us-central1"
  functions_archive = "tests/functions.zip"
  settle_seconds    = 0
  worker_regions    = { us-central1 = "10.20.0.0/20" }
  clusters = {
    lab = { bucket = "lab-bucket", location = "us-central1", output_prefixes = ["mayfly/", "toxicity/"] }
  }
  secrets         = ["wandb"]
  webhook_secrets = ["mayfly-webhook"]
  people = {
    submitters = ["group:research@example.org"]
    admins     = ["group:infrastructure@example.org"]
  }
}

run "functions_are_as_the_table_says" {
  command = apply
  assert {
    condition     = module.control_plane.functions["workers"].concurrency == 1000 && module.control_plane.functions["workers"].instances == 20 && module.control_plane.functions["workers"].cpu == "1" && module.control_plane.functions["workers"].memory == "1024Mi" && module.control_plane.functions["workers"].timeout_seconds == 90
    error_message = "workers: 1 vCPU, 1 GiB, 1000 calls at a time, 20 instances, 90 s"
  }
  assert {
    condition     = alltrue([for f in values(module.control_plane.functions) : f.runtime == "java25" && f.least == 0])
    error_message = "java25, and no instance that waits"
  }
  assert {
    condition     = alltrue([for name, f in module.control_plane.functions : contains(["workers", "api"], name) ? f.ingress == "ALLOW_ALL" && length(f.retries) == 0 : f.ingress == "ALLOW_INTERNAL_ONLY" && f.retries == ["RETRY_POLICY_RETRY"]])
    error_message = "event functions are reached from inside only, and their events come again"
  }
  assert {
    condition     = alltrue([for f in values(module.control_plane.functions) : length([for name, value in f.environment : name if value == "" || startswith(name, "MAYFLY_BUNDLE_")]) == 0])
    error_message = "no bundle by default, and no variable that is empty: it would come back as a change"
  }
  assert {
    condition     = module.control_plane.archive == "functions/${filesha256("tests/functions.zip")}.zip"
    error_message = "the archive is named by its content"
  }
  assert {
    condition     = module.control_plane.database == { protection = "DELETE_PROTECTION_ENABLED", recovery = "POINT_IN_TIME_RECOVERY_ENABLED" }
    error_message = "the database is protected"
  }
  assert {
    condition     = module.control_plane.rules.release == "cloud.firestore/mayfly" && can(regex("match /{document=\\*\\*} {\\s+allow read, write: if false;", module.control_plane.rules.text)) && length(regexall("allow", split("rules_version", module.control_plane.rules.text)[1])) == 1
    error_message = "phones and web pages reach nothing in the database"
  }
  assert {
    condition = module.control_plane.schedules == {
      mayfly-autoscale = { schedule = "* * * * *", data = "{\"kind\":\"tick\"}" }
      mayfly-cleanup   = { schedule = "7 * * * *", data = "{\"kind\":\"collect-orphans\"}" }
    }
    error_message = "two ticks: each minute, and each hour"
  }
  assert {
    condition     = output.workers_url == "https://us-central1-lab-batch.cloudfunctions.net/mayfly-workers"
    error_message = "agents know where to sync before the function is there"
  }
}

run "a_bundle_is_told_by_place_and_content" {
  command = apply
  variables {
    agent_bundle = "tests/bundle.tar.gz"
  }
  assert {
    condition     = module.control_plane.functions["autoscale"].environment["MAYFLY_BUNDLE_URL"] == "gs://lab-batch-mayfly-artifacts/agent/${filesha256("tests/bundle.tar.gz")}.tar.gz"
    error_message = "agents fetch what is named by its content"
  }
  assert {
    condition     = module.control_plane.functions["autoscale"].environment["MAYFLY_BUNDLE_SHA256"] == filesha256("tests/bundle.tar.gz")
    error_message = "agents compare what they fetched"
  }
}

run "each_right_is_as_narrow_as_it_can_be" {
  command = apply
  assert {
    condition     = length([for g in values(module.iam.grants) : g if contains(["roles/editor", "roles/owner", "roles/viewer"], g.role)]) == 0
    error_message = "no basic roles"
  }
  assert {
    condition     = length([for g in values(module.iam.grants) : g if contains(["project", "database"], g.on) && g.role == "roles/secretmanager.secretAccessor"]) == 0
    error_message = "secrets one by one"
  }
  assert {
    condition     = [for g in values(module.iam.secret_grants) : "${g.member} ${g.secret}" if g.on == "webhook-secrets"] == ["serviceAccount:mayfly-notifications@lab-batch.iam.gserviceaccount.com mayfly-webhook"]
    error_message = "what signs webhooks is read by the function that calls them, and by no worker"
  }
  assert {
    condition     = length([for g in values(module.iam.secret_grants) : g if g.secret == "mayfly-webhook"]) == 1
    error_message = "workers do not read what signs webhooks"
  }
  assert {
    condition     = [for g in values(module.iam.grants) : g.on if g.role == "roles/iam.serviceAccountUser"] == ["account:agent"]
    error_message = "act as the workers' account only"
  }
  assert {
    condition     = [for g in values(module.iam.project_grants) : g.expression if endswith(g.role, "/mayflyMachines")] == ["resource.name.extract(\"/instances/{name}\").startsWith(\"lab-\") || resource.name.extract(\"/disks/{name}\").startsWith(\"lab-\") || resource.name.extract(\"/addresses/{name}\").startsWith(\"lab-\")"]
    error_message = "machines of the clusters only"
  }
  assert {
    condition = [for g in values(module.iam.bucket_grants) : g.expression if g.condition == "outputs"] == [join(" && ", [
      "(resource.name.startsWith(\"projects/_/buckets/lab-bucket/objects/mayfly/\") || resource.name.startsWith(\"projects/_/buckets/lab-bucket/objects/toxicity/\"))",
      "!resource.name.endsWith(\".COMPLETE\")",
      "!resource.name.startsWith(\"projects/_/buckets/lab-bucket/objects/mayfly/.\")",
    ])]
    error_message = "workers replace outputs, and neither sentinels nor what is Mayfly's own"
  }
  assert {
    condition     = length([for g in values(module.iam.bucket_grants) : g if g.condition == "inputs"]) > 0 && alltrue([for g in values(module.iam.bucket_grants) : can(regex("^!resource.name.endsWith\\(\"[.]COMPLETE\"\\) && !resource.name.startsWith\\(\"projects/_/buckets/[^/]+/objects/mayfly/[.]jobs/\"\\)$", g.expression)) if g.condition == "inputs"])
    error_message = "submitters make neither sentinels nor task lists"
  }
  assert {
    condition     = length([for g in values(module.iam.grants) : g if strcontains(g.member, "mayfly-agent@") && (g.on == "database" || startswith(g.on, "topic:"))]) == 0
    error_message = "agents touch neither the ledger nor topics"
  }
}

run "no_task_submits_unless_it_is_asked_for" {
  command = plan
  assert {
    condition     = length([for g in values(module.iam.grants) : g if strcontains(g.member, "task-submitter") || strcontains(g.role, "TokenCreator")]) == 0 && !contains(keys(module.iam.emails), "task-submitter")
    error_message = "no account to act as, and nobody who may"
  }
  assert {
    condition     = length([for f in values(module.control_plane.functions) : f if can(f.environment["MAYFLY_SUBMITTER_ACCOUNT"]) || can(f.environment["MAYFLY_API_URL"])]) == 0
    error_message = "machines are told of none"
  }
}

run "tasks_submit_as_an_account_of_their_own" {
  command = apply
  variables {
    submitters = true
  }
  assert {
    condition     = [for g in values(module.iam.grants) : "${g.member} ${g.on}" if strcontains(g.role, "TokenCreator")] == ["serviceAccount:mayfly-agent@lab-batch.iam.gserviceaccount.com account:task-submitter"]
    error_message = "agents make its tokens, and those of no other account"
  }
  assert {
    condition     = [for g in values(module.iam.bucket_grants) : g.expression if strcontains(g.member, "mayfly-task-submitter@") && g.condition != ""] == ["resource.name.startsWith(\"projects/_/buckets/lab-bucket/objects/mayfly/.code/\")"]
    error_message = "it creates code and nothing else"
  }
  assert {
    condition     = [for g in values(module.iam.grants) : g.on if strcontains(g.member, "mayfly-task-submitter@") && startswith(g.on, "topic:")] == ["topic:mayfly-jobs"]
    error_message = "it submits jobs and changes no machines"
  }
  assert {
    condition     = module.control_plane.functions["autoscale"].environment["MAYFLY_API_URL"] == "https://us-central1-lab-batch.cloudfunctions.net/mayfly-api"
    error_message = "machines are told where such tasks read"
  }
}

run "a_viewer_reads_state_and_no_objects" {
  command = plan
  variables {
    people = { viewers = ["user:Eve@example.org"] }
  }
  assert {
    condition     = [for g in values(module.iam.grants) : "${g.role} ${g.on}" if g.member == "user:eve@example.org"] == ["roles/run.invoker function:api"]
    error_message = "the read API alone"
  }
}

run "a_viewer_may_read_objects_too" {
  command = plan
  variables {
    people               = { viewers = ["user:eve@example.org"] }
    viewers_read_objects = true
  }
  assert {
    condition     = toset([for g in values(module.iam.grants) : "${g.role} ${g.on}" if g.member == "user:eve@example.org"]) == toset(["roles/run.invoker function:api", "roles/storage.objectViewer buckets"])
    error_message = "outputs and logs, and nothing to change"
  }
}

run "a_developer_logs_in_by_port_22_alone" {
  command = plan
  variables {
    people = { developers = ["user:Ada@example.org"] }
  }
  assert {
    condition     = [for g in values(module.iam.project_grants) : g.expression if g.role == "roles/iap.tunnelResourceAccessor" && g.member == "user:ada@example.org"] == ["destination.port == 22"]
    error_message = "tunnels lead to ssh only"
  }
  assert {
    condition     = length([for g in values(module.iam.grants) : g if g.member == "user:ada@example.org" && (startswith(g.on, "topic:") || g.on == "buckets" || g.on == "secrets")]) == 0
    error_message = "a login is no right to submit"
  }
}

run "a_machine_of_ones_own_may_do_what_a_worker_may" {
  command = apply
  variables {
    people = { static_workers = ["serviceAccount:desk@lab-batch.iam.gserviceaccount.com"] }
  }
  assert {
    condition = (
      toset([for g in values(module.iam.grants) : "${g.role} ${g.on} ${g.condition}" if strcontains(g.member, "desk@")]) ==
      toset([for g in values(module.iam.grants) : "${g.role} ${g.on} ${g.condition}" if strcontains(g.member, "mayfly-agent@") && g.on != "artifacts"])
    )
    error_message = "but fetch the agent: it has its own"
  }
  assert {
    condition     = length(toset([for g in values(module.iam.bucket_grants) : g.expression if g.condition == "outputs"])) == 1
    error_message = "it replaces what workers replace"
  }
  assert {
    condition     = module.control_plane.functions["workers"].environment["MAYFLY_STATIC_ACCOUNTS"] == "desk@lab-batch.iam.gserviceaccount.com" && module.control_plane.functions["workers"].environment["MAYFLY_AUTOSCALE_ACCOUNT"] == module.iam.emails["autoscale"]
    error_message = "the function workers lets in the accounts that are told, by their e-mails"
  }
  assert {
    condition     = length([for g in values(module.iam.grants) : g if strcontains(g.member, "desk@") && (g.on == "database" || startswith(g.on, "topic:"))]) == 0
    error_message = "it touches neither the ledger nor topics"
  }
}

run "machines_have_the_first_twenty_characters_of_a_long_name" {
  command = apply
  variables {
    clusters = { a-cluster-with-a-very-long-name = { bucket = "lab-bucket", location = "us-central1" } }
  }
  assert {
    condition     = alltrue([for g in values(module.iam.project_grants) : strcontains(g.expression, "startsWith(\"a-cluster-with-a-ver-\")") if g.condition == "machines"])
    error_message = "names are cut as they are where machines are made"
  }
}

run "what_was_replaced_is_not_kept_unless_asked_for" {
  command = plan
  variables {
    clusters = {
      lab    = { bucket = "lab-bucket", location = "us-central1" }
      slides = { bucket = "slides-bucket", location = "us-central1", soft_delete_days = 30 }
    }
  }
  assert {
    condition     = module.storage.soft_delete_days == { lab = 0, slides = 30 }
    error_message = "Google's own default of seven days bills each checkpoint for a week after it was replaced"
  }
}

run "syncs_that_went_well_are_not_logged" {
  command = plan
  assert {
    condition     = strcontains(module.observability.unlogged, "service_name=\"mayfly-workers\"") && strcontains(module.observability.unlogged, "httpRequest.status<400")
    error_message = "workers' own requests, and what failed is kept"
  }
}

run "no_cluster_means_no_machine" {
  command = apply
  variables {
    clusters = {}
  }
  assert {
    condition     = length([for g in values(module.iam.project_grants) : g if g.condition == "machines" || endswith(g.role, "/mayflyMachines") || endswith(g.role, "/mayflyCleanup")]) == 0
    error_message = "without clusters no account may make machines"
  }
  assert {
    condition     = length(module.iam.bucket_grants) == 0
    error_message = "without clusters there are no buckets"
  }
}

run "what_is_optional_is_off" {
  command = apply
  assert {
    condition     = length(output.volumes) == 0 && output.storage_usd_per_month == 0 && module.observability.budgets == 0
    error_message = "no volume and no budget unless asked for"
  }
}

run "what_is_optional_can_be_had" {
  command = apply
  variables {
    budget = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 500 }
    nat    = false
  }
  assert {
    condition     = module.observability.budgets == 1
    error_message = "a budget"
  }
}

run "a_volume_is_made_from_a_clusters_file" {
  command = plan
  variables {
    storage               = yamldecode(file("examples/full/cluster.yaml")).storage
    storage_usd_per_month = 164
  }
  assert {
    condition     = output.storage_usd_per_month == 1024 * 0.16
    error_message = "1,024 GiB of BASIC_HDD"
  }
  assert {
    condition     = local.filestores == { vol = { zone = "us-west4-a", tier = "BASIC_HDD", capacity_gb = 1024 } }
    error_message = "named and placed as the file says"
  }
}

run "two_clusters_share_a_volume" {
  command = plan
  variables {
    storage = [
      { name = "vol", filestore = { zone = "us-central1-a", capacityGb = 2048 } },
      { name = "vol", filestore = {} },
      { name = "vol", filestore = { zone = "us-central1-a", capacityGb = 2048 } },
      { name = "fast", filestore = { zone = "us-central1-b", capacityGb = 2560, tier = "BASIC_SSD" } },
      { name = "home" },
    ]
    storage_usd_per_month = 1096
  }
  assert {
    condition     = join(" ", keys(local.filestores)) == "fast vol" && ceil(output.storage_usd_per_month) == 1096
    error_message = "one volume a name, and the price of both"
  }
}

# Twenty bindings of one role are what IAM keeps for one account.
run "each_cluster_has_a_binding_of_its_own" {
  command = plan
  variables {
    clusters = { for n in range(20) : "lab-${n}" => { bucket = "lab-bucket-${n}", location = "us-central1" } }
  }
  assert {
    condition     = length([for g in values(module.iam.project_grants) : g if endswith(g.role, "/mayflyMachines")]) == 20 && length(toset([for g in values(module.iam.project_grants) : g.title if endswith(g.role, "/mayflyMachines")])) == 20
    error_message = "a binding a cluster, each with another title"
  }
  assert {
    condition     = alltrue([for g in values(module.iam.project_grants) : length(regexall("&&|\\|\\||![^=]", g.expression)) <= 12])
    error_message = "IAM takes 12 operators a condition"
  }
}

run "a_person_is_written_as_google_writes_them" {
  command = plan
  variables {
    people = {
      submitters     = ["user:Ada@Example.org", "user:ada@example.org", "principal://iam.googleapis.com/Pool/subject/Ada"]
      static_workers = ["serviceAccount:Desk@lab-batch.iam.gserviceaccount.com"]
    }
  }
  assert {
    condition     = toset([for g in values(module.iam.grants) : g.member if g.on == "function:api"]) == toset(["user:ada@example.org", "principal://iam.googleapis.com/Pool/subject/Ada"])
    error_message = "people in lower case, once; a principal as it is"
  }
  assert {
    condition     = length([for g in values(module.iam.grants) : g if g.member == "serviceAccount:desk@lab-batch.iam.gserviceaccount.com"]) > 0
    error_message = "service accounts in lower case"
  }
}

run "a_person_publishes_to_topics_of_their_own" {
  command = plan
  variables {
    people = { personal = { ann = { members = ["user:Ann@example.org"] }, eve = { members = ["group:eve@example.org"], admin = true } } }
  }
  assert {
    condition = toset([for g in values(module.iam.grants) : "${g.member} ${g.on}" if startswith(g.on, "topic:") && !startswith(g.member, "serviceAccount:mayfly-")]) == toset([
      "user:ann@example.org topic:mayfly-jobs-ann", "group:eve@example.org topic:mayfly-jobs-eve", "group:eve@example.org topic:mayfly-clusters-eve",
    ])
    error_message = "to those, and not to the topics of all"
  }
  assert {
    condition     = { for name, it in module.control_plane.personal_topics : name => it.service } == { mayfly-jobs-ann = "mayfly-jobs", mayfly-jobs-eve = "mayfly-jobs", mayfly-clusters-eve = "mayfly-clusters" }
    error_message = "each is read by the function of its kind"
  }
  assert {
    condition     = toset([for g in values(module.iam.grants) : g.member if g.on == "function:api"]) == toset(["user:ann@example.org", "group:eve@example.org"])
    error_message = "they read the API"
  }
  assert {
    condition     = length([for g in values(module.iam.bucket_grants) : g if g.member == "user:ann@example.org" && g.condition == "inputs"]) == 1
    error_message = "they create code and inputs, and no sentinel"
  }
}

run "without_regions_no_address_is_let_in" {
  command = plan
  variables {
    worker_regions = {}
  }
  assert {
    condition     = length(module.workers.open_ranges) == 0
    error_message = "no range would be every address there is"
  }
}

run "deployed" {
  command = apply
}

run "a_deployment_does_not_move" {
  command = plan
  variables {
    region   = "us-west1"
    database = { location = "us-central1" }
  }
  expect_failures = [terraform_data.region]
}
