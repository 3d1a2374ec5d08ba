variable "project" {
  description = "Project."
  type        = string
  nullable    = false
}
variable "database" {
  description = "Firestore database."
  type        = string
  nullable    = false
}
variable "clusters" {
  description = "Clusters by name, with their buckets and the prefixes that tasks write to."
  type        = map(object({ bucket = string, output_prefixes = set(string) }))
  nullable    = false
}
variable "secrets" {
  description = "Secrets that workers may read, and those that sign what is posted to webhooks, by what grants are on."
  type        = map(set(string))
  nullable    = false
}
variable "personal_topics" {
  description = "Who alone publishes to each person's own topics, by the topic's name."
  type        = map(set(string))
  nullable    = false
}
variable "people" {
  description = "Members of submitters, personal, admins, viewers, developers and static-workers."
  type        = map(set(string))
  nullable    = false
}
variable "switches" {
  description = "Which optional grants to create, by `when` in access.json."
  type        = map(bool)
  nullable    = false
}
