output "network" {
  description = "Name of the workers' network."
  value       = google_compute_network.workers.name
}
output "subnetwork" {
  description = "Name of the workers' subnet, the same in every region."
  value       = "mayfly"
}
output "open_ranges" {
  description = "Addresses from which every port of a worker is reached, for tests."
  value       = flatten([for it in google_compute_firewall.between_workers : tolist(it.source_ranges)])
}
