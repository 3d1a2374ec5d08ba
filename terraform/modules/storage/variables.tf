variable "project" {
  description = "Project."
  type        = string
  nullable    = false
}
variable "region" {
  description = "Region of the control plane."
  type        = string
  nullable    = false
}
variable "clusters" {
  description = "Clusters by name."
  type = map(object({
    bucket           = string
    location         = string
    create_bucket    = bool
    expire_log_days  = number
    soft_delete_days = number
  }))
  nullable = false
}
variable "filestores" {
  description = "Filestore instances by name."
  type        = map(object({ zone = string, tier = string, capacity_gb = number }))
  nullable    = false
}
variable "network" {
  description = "Network that the NFS volume is reached from."
  type        = string
  nullable    = false
}
variable "network_ranges" {
  description = "Addresses that may mount the NFS volume."
  type        = list(string)
  nullable    = false
}
variable "keep_images" {
  description = "Whether the image repository outlives terraform destroy."
  type        = bool
  nullable    = false
}
variable "ticks" {
  description = "Names of the Cloud Scheduler jobs, so that nothing immovable is made in a region without Cloud Scheduler."
  type        = list(string)
  nullable    = false
}
variable "labels" {
  description = "Labels."
  type        = map(string)
  nullable    = false
}
variable "grants" {
  description = "Grants of module iam; this one binds those on artifacts and repository."
  type        = map(object({ member = string, role = string, on = string, condition = string, why = string }))
  nullable    = false
}
