# What the functions and the agents are started from. Objects are named by their content, so that nothing is written over:
# versions would only keep terraform destroy from its end.
resource "google_storage_bucket" "artifacts" {
  project                     = var.project
  name                        = "${var.project}-mayfly-artifacts"
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  labels                      = var.labels
  force_destroy               = true
  soft_delete_policy {
    retention_duration_seconds = 0
  }
  depends_on = [var.ticks]
}

resource "google_storage_bucket" "cluster" {
  for_each                    = { for name, it in var.clusters : name => it if it.create_bucket }
  project                     = var.project
  name                        = each.value.bucket
  location                    = each.value.location
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  labels                      = merge(var.labels, { mayfly-bucket-of = each.key })
  # Google's default is to keep, and to bill, for seven days what was deleted or replaced, such as each checkpoint.
  soft_delete_policy {
    retention_duration_seconds = each.value.soft_delete_days * 86400
  }
  # Logs and what metrics were over time only: a job that outlives the rule still reads its task list, and a successor its outcome.
  lifecycle_rule {
    condition {
      age            = each.value.expire_log_days
      matches_prefix = ["mayfly/.jobs/"]
      matches_suffix = [".log", ".metrics.jsonl"]
    }
    action {
      type = "Delete"
    }
  }
  lifecycle_rule {
    condition {
      age = 7
    }
    action {
      type = "AbortIncompleteMultipartUpload"
    }
  }
}

resource "google_artifact_registry_repository" "images" {
  project         = var.project
  location        = var.region
  repository_id   = "mayfly"
  description     = "Images of tasks and of the functions"
  format          = "DOCKER"
  labels          = var.labels
  deletion_policy = var.keep_images ? "ABANDON" : "DELETE"
  depends_on      = [var.ticks]
}

resource "google_storage_bucket_iam_member" "artifacts" {
  for_each = { for key, grant in var.grants : key => grant if grant.on == "artifacts" }
  bucket   = google_storage_bucket.artifacts.name
  role     = each.value.role
  member   = each.value.member
}

resource "google_artifact_registry_repository_iam_member" "images" {
  for_each   = { for key, grant in var.grants : key => grant if grant.on == "repository" }
  project    = var.project
  location   = var.region
  repository = google_artifact_registry_repository.images.name
  role       = each.value.role
  member     = each.value.member
}

# The volume that had no name of its own is kept where storage has one that is called mayfly.
moved {
  from = google_filestore_instance.shared[0]
  to   = google_filestore_instance.shared["mayfly"]
}

# Machines find an instance by this name, which the clusters' files use.
resource "google_filestore_instance" "shared" {
  for_each = var.filestores
  project  = var.project
  name     = each.key
  location = each.value.zone
  tier     = each.value.tier
  labels   = var.labels
  file_shares {
    name        = "vol"
    capacity_gb = each.value.capacity_gb
    nfs_export_options {
      ip_ranges   = var.network_ranges
      access_mode = "READ_WRITE"
      squash_mode = "NO_ROOT_SQUASH"
    }
  }
  networks {
    network      = var.network
    modes        = ["MODE_IPV4"]
    connect_mode = "DIRECT_PEERING"
  }
}
