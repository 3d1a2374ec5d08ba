output "emails" {
  description = "Email of each service account by its id."
  value       = { for id, it in google_service_account.account : id => it.email }
}
output "grants" {
  description = "Every grant, for the modules that make what it is granted on."
  value       = local.grants
  # Who reads them acts as these accounts: a function's build needs its rights when it begins.
  depends_on = [google_project_iam_member.grant, google_service_account_iam_member.act_as]
}
output "bucket_grants" {
  description = "Grants on the clusters' buckets, with their conditions."
  value       = local.on_buckets
}
output "secret_grants" {
  description = "Grants on secrets."
  value       = local.on_secrets
}
output "project_grants" {
  description = "Grants on the project, with their conditions."
  value       = local.on_project
}
output "made" {
  description = "Depend on this to run after everything in this module exists."
  value       = "iam"
  depends_on = [
    google_project_iam_member.grant, google_storage_bucket_iam_member.cluster, google_service_account_iam_member.act_as,
    google_secret_manager_secret_iam_member.worker,
  ]
}
