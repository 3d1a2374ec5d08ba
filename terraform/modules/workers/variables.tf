variable "project" {
  description = "Project."
  type        = string
  nullable    = false
}
variable "regions" {
  description = "Address range of the workers' subnet in each region."
  type        = map(string)
  nullable    = false
}
variable "after" {
  description = "What is there as long as machines may be: outputs of the modules that make it."
  type        = list(string)
  nullable    = false
}
variable "nat" {
  description = "Whether workers reach the internet outside of Google."
  type        = bool
  nullable    = false
}
