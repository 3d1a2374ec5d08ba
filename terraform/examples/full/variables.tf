variable "project" {
  description = "Project to deploy into."
  type        = string
}
variable "functions_archive" {
  description = "Zip with the functions' jar and their Java runtime, as functions/bundle leaves it."
  type        = string
}
variable "agent_bundle" {
  description = "Archive with the agent and its Java runtime. Without it a machine has no agent, unless its image brings one."
  type        = string
  default     = null
}
