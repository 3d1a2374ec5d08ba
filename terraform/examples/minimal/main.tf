# One cluster in one region.
module "mayfly" {
  source            = "../.."
  project           = var.project
  region            = "us-central1"
  functions_archive = var.functions_archive
  agent_bundle      = var.agent_bundle
  worker_regions    = { us-central1 = "10.20.0.0/20" }
  clusters = {
    lab = {
      bucket          = "${var.project}-lab"
      location        = "us-central1"
      output_prefixes = ["mayfly/", "results/"]
    }
  }
  people = {
    submitters = var.people
    admins     = var.people
  }
}
