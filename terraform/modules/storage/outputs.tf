output "artifacts" {
  description = "Bucket of the functions' archive and the agent's bundle."
  value       = google_storage_bucket.artifacts.name
  depends_on  = [google_storage_bucket_iam_member.artifacts]
}
output "buckets" {
  description = "Bucket of each cluster, created or found."
  value       = { for name, it in var.clusters : name => it.create_bucket ? google_storage_bucket.cluster[name].name : it.bucket }
}
output "repository" {
  description = "Id of the image repository."
  value       = google_artifact_registry_repository.images.id
  depends_on  = [google_artifact_registry_repository_iam_member.images]
}
output "images" {
  description = "Where images are pushed to."
  value       = "${var.region}-docker.pkg.dev/${var.project}/mayfly"
}
output "volumes" {
  description = "Address of each shared volume, by name."
  value       = { for name, it in google_filestore_instance.shared : name => "${it.networks[0].ip_addresses[0]}:/vol" }
}
output "soft_delete_days" {
  description = "How long each cluster's bucket keeps what was deleted or replaced, for tests."
  value       = { for name, it in google_storage_bucket.cluster : name => it.soft_delete_policy[0].retention_duration_seconds / 86400 }
}
output "made" {
  description = "Depend on this to run after everything in this module exists."
  value       = "storage"
  depends_on = [
    google_storage_bucket.cluster, google_storage_bucket_iam_member.artifacts, google_artifact_registry_repository_iam_member.images,
    google_filestore_instance.shared,
  ]
}
