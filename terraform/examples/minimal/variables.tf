variable "project" {
  description = "Project to deploy into."
  type        = string
}
variable "functions_archive" {
  description = "Zip with the functions' jar."
  type        = string
}
variable "people" {
  description = "Who may submit jobs and bring clusters up, such as user:ada@example.org."
  type        = set(string)
}
