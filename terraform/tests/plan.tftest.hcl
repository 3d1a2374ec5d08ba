mock_provider "google" {}

variables {
  project           = "lab-batch"
  region            = "us-central1"
  functions_archive = "tests/functions.zip"
  settle_seconds    = 0
  worker_regions    = { us-central1 = "10.20.0.0/20" }
  clusters = {
    lab = { bucket = "lab-bucket", location = "us-central1", output_prefixes = ["mayfly/", "toxicity/"] }
  }
  secrets = ["wandb"]
  people = {
    submitters = ["group:research@example.org"]
    admins     = ["group:infrastructure@example.org"]
  }
}

run "functions_are_as_the_table_says" {
  command = apply
  assert {
    condition     = module.control_plane.functions["workers"].concurrency == 1000 && module.control_plane.functions["workers"].instances == 20 && module.control_plane.functions["workers"].cpu == "1" && module.control_plane.functions["workers"].memory == "1024Mi" && module.control_plane.functions["workers"].timeout_seconds == 60
    error_message = "workers: 1 vCPU, 1 GiB, 1000 calls at a time, 20 instances, 60 s"
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
    condition     = alltrue([for f in values(module.control_plane.functions) : f.environment["MAYFLY_BUNDLE_URL"] == "" && f.environment["MAYFLY_BUNDLE_SHA256"] == ""])
    error_message = "no bundle unless told"
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
      mayfly-cleanup   = { schedule = "7 * * * *", data = "{\"kind\":\"sweep\"}" }
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
    condition     = [for g in values(module.iam.grants) : g.on if g.role == "roles/iam.serviceAccountUser"] == ["account:agent"]
    error_message = "act as the workers' account only"
  }
  assert {
    condition     = module.iam.project_conditions["machines"] == "resource.name.extract(\"/instances/{name}\").startsWith(\"lab-\") || resource.name.extract(\"/disks/{name}\").startsWith(\"lab-\") || resource.name.extract(\"/addresses/{name}\").startsWith(\"lab-\")"
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

run "a_machine_of_ones_own_may_do_what_a_worker_may" {
  command = apply
  variables {
    people = { static_workers = ["serviceAccount:desk@lab-batch.iam.gserviceaccount.com"] }
  }
  assert {
    condition = (
      toset([for g in values(module.iam.grants) : "${g.role} ${g.on} ${g.condition}" if strcontains(g.member, "desk@")]) ==
      toset([for g in values(module.iam.grants) : "${g.role} ${g.on} ${g.condition}" if strcontains(g.member, "mayfly-agent@") && g.on != "artifacts" && g.role != "roles/logging.logWriter"])
    )
    error_message = "but fetch the agent and write Cloud Logging's entries: it has its own agent, whose log is a file"
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
    condition     = strcontains(module.iam.project_conditions["machines"], "startsWith(\"a-cluster-with-a-ver-\")")
    error_message = "names are cut as they are where machines are made"
  }
}

run "no_cluster_means_no_machine" {
  command = apply
  variables {
    clusters = {}
  }
  assert {
    condition     = module.iam.project_conditions["machines"] == "resource.name == \"\""
    error_message = "without clusters nobody may make machines"
  }
  assert {
    condition     = length(module.iam.bucket_grants) == 0
    error_message = "without clusters there are no buckets"
  }
}

run "what_is_optional_is_off" {
  command = apply
  assert {
    condition     = output.filestore_address == "" && module.observability.budgets == 0
    error_message = "no volume and no budget unless asked for"
  }
}

run "what_is_optional_can_be_had" {
  command = apply
  variables {
    budget            = { billing_account = "012345-6789AB-CDEF01", monthly_usd = 500 }
    compact_placement = true
    nat               = false
  }
  assert {
    condition     = module.observability.budgets == 1
    error_message = "a budget"
  }
}
