output "workers_url" {
  description = "Where agents sync."
  value       = local.workers_url
}
output "api_url" {
  description = "What mayfly status and its like read."
  value       = "https://${var.region}-${var.project}.cloudfunctions.net/mayfly-api"
}
output "functions" {
  description = "Functions as deployed, for tests."
  value = {
    for name, it in google_cloudfunctions2_function.function : name => {
      entry           = it.build_config[0].entry_point
      runtime         = it.build_config[0].runtime
      ingress         = it.service_config[0].ingress_settings
      cpu             = it.service_config[0].available_cpu
      memory          = it.service_config[0].available_memory
      concurrency     = it.service_config[0].max_instance_request_concurrency
      instances       = it.service_config[0].max_instance_count
      least           = it.service_config[0].min_instance_count
      timeout_seconds = it.service_config[0].timeout_seconds
      retries         = [for t in it.event_trigger : t.retry_policy]
      environment     = it.service_config[0].environment_variables
    }
  }
}
output "archive" {
  description = "Object name of the functions' archive."
  value       = google_storage_bucket_object.archive.name
}
output "schedules" {
  description = "Cloud Scheduler jobs and what they publish."
  value = {
    for it in [google_cloud_scheduler_job.autoscale, google_cloud_scheduler_job.cleanup] :
    it.name => { schedule = it.schedule, data = base64decode(it.pubsub_target[0].data) }
  }
}
output "ticks" {
  description = "Names of the Cloud Scheduler jobs, once they are there."
  value       = [google_cloud_scheduler_job.autoscale.name, google_cloud_scheduler_job.cleanup.name]
}
output "vm_events_topic" {
  description = "Topic that the audit-log sink publishes on."
  value       = google_pubsub_topic.topic["mayfly-vm-events"].name
}
output "notifications_topic" {
  description = "Topic that people and their programs subscribe to."
  value       = google_pubsub_topic.topic["mayfly-notifications"].id
}
output "personal_topics" {
  description = "Who reads each person's own topic, by the topic's name."
  value = {
    for name, it in google_eventarc_trigger.personal : name => {
      topic   = one(one(it.transport).pubsub).topic
      service = one(one(it.destination).cloud_run_service).service
      account = it.service_account
    }
  }
}
output "rules" {
  description = "What the database allows to phones and web pages."
  value = {
    release = google_firebaserules_release.closed.name
    text    = google_firebaserules_ruleset.closed.source[0].files[0].content
  }
}
output "database" {
  description = "How the database is protected."
  value = {
    protection = google_firestore_database.state.delete_protection_state
    recovery   = google_firestore_database.state.point_in_time_recovery_enablement
  }
}
output "made" {
  description = "Depend on this to run after everything in this module exists."
  value       = "control-plane"
  depends_on = [
    google_cloudfunctions2_function.function, google_eventarc_trigger.personal, google_cloud_run_v2_service_iam_member.invoker, google_pubsub_topic_iam_member.publisher,
    google_cloud_scheduler_job.autoscale, google_cloud_scheduler_job.cleanup, google_storage_bucket_object.bundle,
    google_firestore_index.index, google_firestore_field.exempt, google_firestore_field.expire, google_firebaserules_release.closed,
  ]
}
