variable "project" {
  description = "Project."
  type        = string
  nullable    = false
}
variable "region" {
  description = "Region of the functions, topics and schedules."
  type        = string
  nullable    = false
}
variable "database" {
  description = "Firestore database to create."
  type        = object({ name = string, location = string })
  nullable    = false
}
variable "archive" {
  description = "The functions' archive: a zip with one jar."
  type        = string
  nullable    = false
}
variable "bundle" {
  description = "The agent's bundle, or null."
  type        = string
}
variable "artifacts" {
  description = "Bucket that the archive is put into."
  type        = string
  nullable    = false
}
variable "repository" {
  description = "Id of the repository that the functions' image is pushed to."
  type        = string
  nullable    = false
}
variable "emails" {
  description = "Service accounts by id."
  type        = map(string)
  nullable    = false
}
variable "webhook_reach" {
  description = "Which addresses webhooks may be at: internet or private-networks."
  type        = string
  nullable    = false
}
variable "static_accounts" {
  description = "E-mails of the service accounts that static workers authenticate as."
  type        = set(string)
  nullable    = false
}
variable "personal_topics" {
  description = "The function that reads each person's own topic, by the topic's name."
  type        = map(string)
  nullable    = false
}
variable "grants" {
  description = "Grants of module iam; this one binds those on topics and functions."
  type        = map(object({ member = string, role = string, on = string, condition = string, why = string }))
  nullable    = false
}
variable "network" {
  description = "Network and subnet of workers, told to autoscale."
  type        = object({ network = string, subnetwork = string })
  nullable    = false
}
variable "labels" {
  description = "Labels."
  type        = map(string)
  nullable    = false
}
variable "settle_seconds" {
  description = "How long the first apply waits for new rights before it makes functions."
  type        = number
  nullable    = false
}
