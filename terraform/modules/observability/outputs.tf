output "sink_filter" {
  description = "What the sink sends to the topic."
  value       = google_logging_project_sink.machine_events.filter
}
output "budgets" {
  description = "How many budgets there are."
  value       = length(google_billing_budget.monthly)
}
output "unlogged" {
  description = "Which log entries are not kept, for tests."
  value       = google_logging_project_exclusion.syncs.filter
}
output "made" {
  description = "Depend on this to run after everything in this module exists."
  value       = "observability"
  depends_on = [
    google_logging_project_sink.machine_events, google_pubsub_topic_iam_member.sink, google_logging_project_exclusion.syncs,
    google_monitoring_alert_policy.errors, google_monitoring_alert_policy.backlog, google_monitoring_alert_policy.no_cleanup,
    google_monitoring_dashboard.mayfly, google_billing_budget.monthly,
  ]
}
