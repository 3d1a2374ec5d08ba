locals {
  functions = jsondecode(file("${path.module}/functions.json"))
  topics    = toset(["mayfly-jobs", "mayfly-clusters", "mayfly-ticks", "mayfly-vm-events", "mayfly-notifications"])

  # The address is a function of names, so that other functions know it before it is there.
  workers_url = "https://${var.region}-${var.project}.cloudfunctions.net/mayfly-workers"
  api_url     = "https://${var.region}-${var.project}.cloudfunctions.net/mayfly-api"

  # The platform's JVM hands over to the archive's own, which has a trained cache; testing/bench/run measures with these.
  java = trimspace(file("${path.module}/java-tool-options"))
  environment = { for name, value in {
    GOOGLE_CLOUD_PROJECT     = var.project
    MAYFLY_REGION            = var.region
    MAYFLY_DATABASE          = google_firestore_database.state.name
    MAYFLY_WORKERS_URL       = local.workers_url
    MAYFLY_NETWORK           = "global/networks/${var.network.network}"
    MAYFLY_SUBNETWORK        = var.network.subnetwork
    MAYFLY_AGENT_ACCOUNT     = var.emails["agent"]
    MAYFLY_AUTOSCALE_ACCOUNT = var.emails["autoscale"]
    MAYFLY_SUBMITTER_ACCOUNT = lookup(var.emails, "task-submitter", "")
    MAYFLY_API_URL           = contains(keys(var.emails), "task-submitter") ? local.api_url : ""
    MAYFLY_STATIC_ACCOUNTS   = join(",", var.static_accounts)
    MAYFLY_BUNDLE_URL        = join("", [for it in google_storage_bucket_object.bundle : "gs://${it.bucket}/${it.name}"])
    MAYFLY_BUNDLE_SHA256     = var.bundle == null ? "" : filesha256(var.bundle)
    MAYFLY_IDENTITY          = "required"
    MAYFLY_TICK_SECONDS      = "60"
    MAYFLY_WEBHOOK_REACH     = var.webhook_reach
    JAVA_TOOL_OPTIONS        = local.java
  } : name => value if value != "" }
}

resource "google_pubsub_topic" "topic" {
  for_each                   = setunion(local.topics, keys(var.personal_topics))
  project                    = var.project
  name                       = each.key
  labels                     = var.labels
  message_retention_duration = "86400s"
  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }
}

resource "google_pubsub_topic_iam_member" "publisher" {
  for_each = { for key, grant in var.grants : key => grant if startswith(grant.on, "topic:") }
  project  = var.project
  topic    = google_pubsub_topic.topic[trimprefix(each.value.on, "topic:")].name
  role     = each.value.role
  member   = each.value.member
}

# Earlier archives and bundles stay in the bucket: a starting machine fetches the bundle that its order names, and after a
# deployment that fails half way new orders still name the earlier one. An object's name is the hash of its content, so a
# moved or deleted file here changes nothing.
resource "google_storage_bucket_object" "archive" {
  bucket          = var.artifacts
  name            = "functions/${filesha256(var.archive)}.zip"
  source          = var.archive
  deletion_policy = "ABANDON"
  lifecycle {
    ignore_changes = [source, detect_md5hash]
  }
}

resource "google_storage_bucket_object" "bundle" {
  count           = var.bundle == null ? 0 : 1
  bucket          = var.artifacts
  name            = "agent/${filesha256(var.bundle)}.tar.gz"
  source          = var.bundle
  deletion_policy = "ABANDON"
  lifecycle {
    ignore_changes = [source, detect_md5hash]
  }
}

# In a new project, rights take effect minutes after they are granted; a function that is made before fails and stays
# broken (hashicorp/terraform-provider-google issue 25294). A later apply waits no more, unless the account that builds or
# the place that it pushes to is new.
resource "terraform_data" "settled" {
  input            = { rights = keys(var.grants), artifacts = var.artifacts }
  triggers_replace = { build = var.emails["build"], repository = var.repository }
  provisioner "local-exec" {
    command = "sleep ${var.settle_seconds}"
  }
}

resource "google_cloudfunctions2_function" "function" {
  for_each = local.functions
  project  = var.project
  location = var.region
  name     = "mayfly-${each.key}"
  labels   = var.labels
  build_config {
    runtime           = "java25"
    entry_point       = each.value.entry
    docker_repository = var.repository
    service_account   = "projects/${var.project}/serviceAccounts/${var.emails["build"]}"
    source {
      storage_source {
        bucket = google_storage_bucket_object.archive.bucket
        object = google_storage_bucket_object.archive.name
      }
    }
  }
  service_config {
    available_cpu                    = tostring(each.value.cpu)
    available_memory                 = "${each.value.memory_mib}Mi"
    max_instance_request_concurrency = each.value.concurrency
    min_instance_count               = 0
    max_instance_count               = each.value.instances
    timeout_seconds                  = each.value.timeout_seconds
    ingress_settings                 = can(each.value.topic) ? "ALLOW_INTERNAL_ONLY" : "ALLOW_ALL"
    all_traffic_on_latest_revision   = true
    service_account_email            = var.emails[each.key]
    environment_variables            = local.environment
  }
  dynamic "event_trigger" {
    for_each = can(each.value.topic) ? [each.value.topic] : []
    content {
      trigger_region        = var.region
      event_type            = "google.cloud.pubsub.topic.v1.messagePublished"
      pubsub_topic          = google_pubsub_topic.topic[event_trigger.value].id
      retry_policy          = "RETRY_POLICY_RETRY"
      service_account_email = var.emails["trigger"]
    }
  }
  depends_on = [terraform_data.settled]
}

# The same function reads the topics of persons; the event says which topic it was.
resource "google_eventarc_trigger" "personal" {
  for_each        = var.personal_topics
  project         = var.project
  location        = var.region
  name            = each.key
  labels          = var.labels
  service_account = var.emails["trigger"]
  matching_criteria {
    attribute = "type"
    value     = "google.cloud.pubsub.topic.v1.messagePublished"
  }
  transport {
    pubsub {
      topic = google_pubsub_topic.topic[each.key].id
    }
  }
  destination {
    cloud_run_service {
      service = google_cloudfunctions2_function.function[each.value].name
      region  = var.region
    }
  }
}

# A function's right to be called is kept by the Cloud Run service behind it, which has its name.
resource "google_cloud_run_v2_service_iam_member" "invoker" {
  for_each = { for key, grant in var.grants : key => grant if startswith(grant.on, "function:") }
  project  = var.project
  location = var.region
  name     = google_cloudfunctions2_function.function[trimprefix(each.value.on, "function:")].name
  role     = each.value.role
  member   = each.value.member
}

# Mayfly pauses and resumes the first one itself, so that an idle deployment costs nothing. Few regions lack Cloud Scheduler:
# the ticks come before what does not move, the database above all.
resource "google_cloud_scheduler_job" "autoscale" {
  project     = var.project
  region      = var.region
  name        = "mayfly-autoscale"
  description = "A look at everything, each minute; paused while there is nothing to look at"
  schedule    = "* * * * *"
  time_zone   = "Etc/UTC"
  pubsub_target {
    topic_name = google_pubsub_topic.topic["mayfly-ticks"].id
    data       = base64encode(jsonencode({ kind = "tick" }))
    attributes = { mayfly-trigger = "1" }
  }
  lifecycle {
    ignore_changes = [paused]
  }
}

# The net: it is never paused, and finds what was left behind while the other one was.
resource "google_cloud_scheduler_job" "cleanup" {
  project     = var.project
  region      = var.region
  name        = "mayfly-cleanup"
  description = "What the cloud has is compared with what ought to be there, each hour"
  schedule    = "7 * * * *"
  time_zone   = "Etc/UTC"
  pubsub_target {
    topic_name = google_pubsub_topic.topic["mayfly-ticks"].id
    data       = base64encode(jsonencode({ kind = "collect-orphans" }))
    attributes = { mayfly-trigger = "1" }
  }
  lifecycle {
    ignore_changes = [paused]
  }
}
