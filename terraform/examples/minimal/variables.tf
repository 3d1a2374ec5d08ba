variable "project" {
  description = "Project to deploy into."
  type        = string
}
variable "functions_archive" {
  description = "Zip with the functions' jar and their Java runtime, as functions/bundle leaves it."
  type        = string
}
variable "agent_bundle" {
  description = "Archive with the agent and its Java runtime, or null where machines' images bring them."
  type        = string
  default     = null
}
variable "people" {
  description = "Who may submit jobs and bring clusters up, such as user:ada@example.org."
  type        = set(string)
}
