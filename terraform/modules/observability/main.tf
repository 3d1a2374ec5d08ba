locals {
  # System events are few: what Google itself did to a machine. Deletes by people come from the activity log.
  machine_events = join(" OR ", [
    "(log_id(\"cloudaudit.googleapis.com/system_event\") AND resource.type=\"gce_instance\" AND protoPayload.methodName=(\"compute.instances.preempted\" OR \"compute.instances.hostError\" OR \"compute.instances.automaticTermination\" OR \"compute.instances.guestTerminate\"))",
    "(log_id(\"cloudaudit.googleapis.com/activity\") AND resource.type=\"gce_instance\" AND operation.last=true AND protoPayload.methodName=~\"^(v1|beta|alpha)[.]compute[.]instances[.](delete|stop)$\")",
  ])
}

resource "google_logging_project_sink" "machine_events" {
  project                = var.project
  name                   = "mayfly-vm-events"
  description            = "Preempted and terminated machines, told to function vm-events"
  destination            = "pubsub.googleapis.com/projects/${var.project}/topics/${var.topic}"
  filter                 = local.machine_events
  unique_writer_identity = true
}

resource "google_pubsub_topic_iam_member" "sink" {
  project = var.project
  topic   = var.topic
  role    = "roles/pubsub.publisher"
  member  = google_logging_project_sink.machine_events.writer_identity
}

# Google's own count of log entries: a metric that Mayfly made would be unknown to alerts for ten minutes, and the first
# apply would end there (hashicorp/terraform-provider-google issue 11102).
resource "google_monitoring_alert_policy" "errors" {
  project               = var.project
  display_name          = "Mayfly: functions log errors"
  combiner              = "OR"
  notification_channels = var.channels
  conditions {
    display_name = "more than 10 errors in 10 minutes"
    condition_threshold {
      filter          = "metric.type=\"logging.googleapis.com/log_entry_count\" AND metric.labels.severity=\"ERROR\" AND resource.type=\"cloud_run_revision\" AND resource.labels.service_name=starts_with(\"mayfly-\")"
      comparison      = "COMPARISON_GT"
      threshold_value = 10
      duration        = "0s"
      aggregations {
        alignment_period     = "600s"
        per_series_aligner   = "ALIGN_SUM"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }
  documentation {
    content   = "Look at the functions' logs: severity>=ERROR, service mayfly-*. docs/operations.md says what each reason means."
    mime_type = "text/markdown"
  }
}

# Messages that come again and again: a function fails at its start, or has lost a right.
resource "google_monitoring_alert_policy" "backlog" {
  project               = var.project
  display_name          = "Mayfly: messages wait"
  combiner              = "OR"
  notification_channels = var.channels
  conditions {
    display_name = "a message has waited for 10 minutes"
    condition_threshold {
      filter          = "metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\" AND resource.type=\"pubsub_subscription\" AND metadata.system_labels.topic_id=monitoring.regex.full_match(\"mayfly-(ticks|vm-events|(jobs|clusters)(-.+)?)\")"
      comparison      = "COMPARISON_GT"
      threshold_value = 600
      duration        = "60s"
      aggregations {
        alignment_period   = "60s"
        per_series_aligner = "ALIGN_MAX"
      }
    }
  }
  documentation {
    content   = "Run mayfly doctor with --project, then look at the function's log."
    mime_type = "text/markdown"
  }
}

# An entry for each sync that went well is most of what a deployment logs: 8.8 million a day with 1,024 workers. What was
# refused or failed stays.
resource "google_logging_project_exclusion" "syncs" {
  project     = var.project
  name        = "mayfly-syncs"
  description = "Requests of workers that were answered well; Mayfly reads none of them"
  filter      = "log_id(\"run.googleapis.com/requests\") AND resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"mayfly-workers\" AND httpRequest.status<400"
}

# The hourly cleanup is what ends machines that nothing else ends, TPUs above all, which Google lets run for ever.
resource "google_monitoring_alert_policy" "no_cleanup" {
  project               = var.project
  display_name          = "Mayfly: nothing is cleaned up"
  combiner              = "OR"
  notification_channels = var.channels
  conditions {
    display_name = "function cleanup has not run well for three hours"
    condition_absent {
      filter   = "metric.type=\"run.googleapis.com/request_count\" AND metric.labels.response_code_class=\"2xx\" AND resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"mayfly-cleanup\""
      duration = "10800s"
      aggregations {
        alignment_period     = "3600s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }
  documentation {
    content   = "Machines may outlive their work, and TPUs are billed until they are deleted. Run mayfly doctor with --project and mayfly cleanup; gcloud compute tpus tpu-vm list --zone=- shows what is there."
    mime_type = "text/markdown"
  }
}

resource "google_monitoring_dashboard" "mayfly" {
  project = var.project
  dashboard_json = jsonencode({
    displayName = "Mayfly"
    mosaicLayout = {
      columns = 12
      tiles = [
        for i, chart in [
          { title = "Calls a second", filter = "metric.type=\"run.googleapis.com/request_count\" AND resource.type=\"cloud_run_revision\" AND resource.labels.service_name=monitoring.regex.full_match(\"mayfly-.*\")", aligner = "ALIGN_RATE" },
          { title = "Billable instance time", filter = "metric.type=\"run.googleapis.com/container/billable_instance_time\" AND resource.type=\"cloud_run_revision\" AND resource.labels.service_name=monitoring.regex.full_match(\"mayfly-.*\")", aligner = "ALIGN_RATE" },
          { title = "Document reads a second", filter = "metric.type=\"firestore.googleapis.com/document/read_ops_count\" AND resource.type=\"firestore.googleapis.com/Database\"", aligner = "ALIGN_RATE" },
          { title = "Document writes a second", filter = "metric.type=\"firestore.googleapis.com/document/write_ops_count\" AND resource.type=\"firestore.googleapis.com/Database\"", aligner = "ALIGN_RATE" },
          # A place of zero is left out: Google does not give it back, and each plan would want to set it again.
          ] : merge(i % 2 == 0 ? {} : { xPos = 6 }, i < 2 ? {} : { yPos = floor(i / 2) * 4 }, {
            width                            = 6
            height                           = 4
            widget = {
              title = chart.title
              xyChart = {
                dataSets = [{
                  plotType = "LINE"
                  timeSeriesQuery = { timeSeriesFilter = {
                    filter      = chart.filter
                    aggregation = { alignmentPeriod = "60s", perSeriesAligner = chart.aligner }
                  } }
                }]
              }
            }
        })
      ]
    }
  })
}

# Without a currency: it is that of the billing account, and no other is taken.
resource "google_billing_budget" "monthly" {
  count           = var.budget == null ? 0 : 1
  billing_account = var.budget.billing_account
  display_name    = "Mayfly in ${var.project}"
  budget_filter {
    projects = ["projects/${var.number}"]
  }
  amount {
    specified_amount {
      units = tostring(var.budget.monthly_amount)
    }
  }
  threshold_rules {
    threshold_percent = 0.5
  }
  threshold_rules {
    threshold_percent = 0.9
  }
  threshold_rules {
    threshold_percent = 1
  }
}
