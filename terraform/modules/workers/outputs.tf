output "network" {
  description = "Name of the workers' network."
  value       = google_compute_network.workers.name
}
output "subnetwork" {
  description = "Name of the workers' subnet, the same in every region."
  value       = "mayfly"
}
