variable "project" {
  description = "Project."
  type        = string
  nullable    = false
}
variable "topic" {
  description = "Topic for what happens to machines."
  type        = string
  nullable    = false
}
variable "channels" {
  description = "Notification channels of alerts."
  type        = set(string)
  nullable    = false
}
variable "budget" {
  description = "Budget alert, or null."
  type        = object({ billing_account = string, monthly_amount = number })
}
variable "number" {
  description = "Number of the project, or null without a budget."
  type        = string
}
