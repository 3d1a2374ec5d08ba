# firestore.json is the one declaration of indexes, exemptions and times to live.
locals {
  firestore = jsondecode(file("${path.module}/firestore.json"))
}

resource "google_firestore_database" "state" {
  project                           = var.project
  name                              = var.database.name
  location_id                       = var.database.location
  type                              = "FIRESTORE_NATIVE"
  delete_protection_state           = "DELETE_PROTECTION_ENABLED"
  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"
  deletion_policy                   = "ABANDON"
  # A database does not move; made anew it would be refused, since the old one is left where it is. One that was imported
  # and is of the other kind is somebody else's: nothing is converted.
  lifecycle {
    ignore_changes = [location_id, type]
    postcondition {
      condition     = self.type == "FIRESTORE_NATIVE"
      error_message = "database: ${self.name} is of the kind ${self.type}, and Mayfly's is FIRESTORE_NATIVE: another program's data may be in it. Take it out of the state (terraform state rm), and set database.name to another name."
    }
    postcondition {
      condition     = self.location_id == var.database.location
      error_message = "database: ${self.name} is in ${self.location_id}, and a database does not move. Set database.location to ${self.location_id}, or database.name to another name for a new and empty one."
    }
  }
  depends_on = [google_cloud_scheduler_job.autoscale, google_cloud_scheduler_job.cleanup]
}

# A key of a phone app or a web page opens nothing, also where a project had looser rules before.
resource "google_firebaserules_ruleset" "closed" {
  project = var.project
  source {
    files {
      name    = "firestore.rules"
      content = file("${path.module}/firestore.rules")
    }
  }
  lifecycle {
    create_before_destroy = true
  }
}

resource "google_firebaserules_release" "closed" {
  project      = var.project
  name         = var.database.name == "(default)" ? "cloud.firestore" : "cloud.firestore/${google_firestore_database.state.name}"
  ruleset_name = "projects/${var.project}/rulesets/${google_firebaserules_ruleset.closed.name}"
}

resource "google_firestore_index" "index" {
  for_each    = { for it in try(local.firestore.indexes, []) : "${it.collection} ${join(" ", [for f in it.fields : f.path])}" => it }
  project     = var.project
  database    = google_firestore_database.state.name
  collection  = each.value.collection
  query_scope = try(each.value.scope, "COLLECTION")
  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path = fields.value.path
      order      = try(fields.value.order, "ASCENDING")
    }
  }
}

# Without a block inside, index_config means: no index at all. What the database keeps stays with the database.
resource "google_firestore_field" "exempt" {
  for_each        = { for it in try(local.firestore.exemptions, []) : "${it.collection} ${it.field}" => it }
  project         = var.project
  database        = google_firestore_database.state.name
  collection      = each.value.collection
  field           = each.value.field
  deletion_policy = "ABANDON"
  index_config {}
}

resource "google_firestore_field" "expire" {
  for_each        = { for it in try(local.firestore.ttl, []) : "${it.collection} ${it.field}" => it }
  project         = var.project
  database        = google_firestore_database.state.name
  collection      = each.value.collection
  field           = each.value.field
  deletion_policy = "ABANDON"
  index_config {}
  ttl_config {}
}
