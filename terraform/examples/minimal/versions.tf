terraform {
  required_version = ">= 1.9, < 2"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.33, < 9"
    }
  }

  # The state in a bucket, for more than one deployer. Make the bucket first, with versions.
  # backend "gcs" {
  #   bucket = "lab-batch-terraform"
  #   prefix = "mayfly"
  # }
}

# Calls are charged to the project itself, and not to whatever project the login belongs to: without that, budgets are
# refused to a person's login.
provider "google" {
  project               = var.project
  billing_project       = var.project
  user_project_override = true
}
