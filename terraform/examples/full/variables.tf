variable "project" {
  description = "Project to deploy into."
  type        = string
}
variable "functions_archive" {
  description = "Zip with the functions' jar."
  type        = string
}
