output "workers_url" {
  description = "Where agents sync; only they may call it."
  value       = module.control_plane.workers_url
}
output "api_url" {
  description = "What status and its like read; submitters and admins may call it."
  value       = module.control_plane.api_url
}
output "notifications_topic" {
  description = "Topic of ended jobs, lost reservations and bad nodes, for subscriptions of your own."
  value       = module.control_plane.notifications_topic
}
output "buckets" {
  description = "Bucket of each cluster, for its bucket: field."
  value       = { for name, bucket in module.storage.buckets : name => "gs://${bucket}" }
}
output "artifacts_bucket" {
  description = "Bucket of the functions' archive and the agent's bundle."
  value       = module.storage.artifacts
}
output "images" {
  description = "Where images are pushed to."
  value       = module.storage.images
}
output "agent_account" {
  description = "Service account that workers run as."
  value       = module.iam.emails["agent"]
}
output "volumes" {
  description = "Address of each shared volume, by name, for machines that are not Mayfly's; workers look the name up themselves."
  value       = module.storage.volumes
}
output "storage_usd_per_month" {
  description = "What the shared volumes cost a month at list price, in US dollars; storage_usd_per_month is at least as much."
  value       = local.storage_usd_per_month
}
