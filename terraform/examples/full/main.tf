# Three regions, because that is where the TPU quota is; a bucket in each, a shared volume, secrets, alerts, a budget.
module "mayfly" {
  source            = "../.."
  project           = var.project
  region            = "us-central1"
  database          = { location = "nam5" }
  functions_archive = var.functions_archive
  agent_bundle      = var.agent_bundle

  # Google lets only projects that it knows into us-central2, where its TPUs v4 are: leave it out where yours is none.
  worker_regions = {
    us-central1  = "10.20.0.0/20"
    us-central2  = "10.20.16.0/20"
    us-west4     = "10.20.32.0/20"
    europe-west4 = "10.20.48.0/20"
  }

  # A bucket that is there already needs uniform bucket-level access, or its grants are refused.
  clusters = {
    us-central2  = { bucket = "lab-us-central2", location = "us-central2", create_bucket = false, output_prefixes = ["toxicity/", "mayfly/"] }
    us-west4     = { bucket = "lab-us-west4", location = "us-west4", output_prefixes = ["toxicity/", "mayfly/"] }
    europe-west4 = { bucket = "lab-eu-west4", location = "europe-west4", output_prefixes = ["toxicity/", "mayfly/"], expire_log_days = 30 }
  }

  secrets = ["wandb", "hf-token"]
  people = {
    submitters     = ["group:research@example.org"]
    admins         = ["group:infrastructure@example.org"]
    developers     = ["group:research@example.org"]
    static_workers = ["serviceAccount:lab-machines@lab-batch.iam.gserviceaccount.com"]
    personal       = { ada = { members = ["user:ada@example.org"] }, eve = { members = ["user:eve@example.org"], admin = true } }
  }

  # A cluster's file defines its storage once: this makes the volumes, and its pools use them by name.
  storage               = yamldecode(file("${path.module}/cluster.yaml")).storage
  storage_usd_per_month = 164
  notification_channels = ["projects/lab-batch/notificationChannels/1234567890"]
  budget                = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 5000 }
  labels                = { team = "research" }
}
