output "sink_filter" {
  description = "What the sink sends to the topic."
  value       = google_logging_project_sink.machine_events.filter
}
output "budgets" {
  description = "How many budgets there are."
  value       = length(google_billing_budget.monthly)
}
