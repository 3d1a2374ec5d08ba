# One input changed at a time, after a deployment. Nothing is asserted here: .ci/terraform reads what each plan replaces or
# deletes, and compares it with replaced.json, where each has its reason.
mock_provider "google" {
  mock_resource "google_service_account" {
    defaults = { name = "projects/lab-batch/serviceAccounts/mayfly-agent@lab-batch.iam.gserviceaccount.com" }
  }
  mock_resource "google_logging_project_sink" {
    defaults = { writer_identity = "serviceAccount:service-1@gcp-sa-logging.iam.gserviceaccount.com" }
  }
  mock_data "google_project_iam_policy" {
    defaults = { policy_data = "{\"bindings\":[{\"role\":\"roles/eventarc.serviceAgent\",\"members\":[\"serviceAccount:service-1@gcp-sa-eventarc.iam.gserviceaccount.com\"]}]}" }
  }
}

variables {
  project           = "lab-batch"
  region            = "us-central1"
  functions_archive = "tests/functions.zip"
  agent_bundle      = "tests/bundle.tar.gz"
  settle_seconds    = 0
  worker_regions    = { us-central1 = "10.20.0.0/20" }
  clusters = {
    a = { bucket = "lab-a", location = "us-central1" }
    b = { bucket = "lab-b", location = "us-central1" }
    c = { bucket = "lab-c", location = "us-central1" }
    d = { bucket = "lab-d", location = "us-central1" }
  }
  secrets = ["wandb"]
  people = {
    submitters = ["group:research@example.org"]
    admins     = ["group:infrastructure@example.org"]
  }
}

run "deployed" {
  command = apply
}

run "nothing_changed" {
  command = plan
}

run "a_fifth_cluster" {
  command = plan
  variables {
    clusters = {
      a  = { bucket = "lab-a", location = "us-central1" }
      aa = { bucket = "lab-aa", location = "us-central1" }
      b  = { bucket = "lab-b", location = "us-central1" }
      c  = { bucket = "lab-c", location = "us-central1" }
      d  = { bucket = "lab-d", location = "us-central1" }
    }
  }
}

run "a_cluster_less" {
  command = plan
  variables {
    clusters = {
      a = { bucket = "lab-a", location = "us-central1" }
      b = { bucket = "lab-b", location = "us-central1" }
      c = { bucket = "lab-c", location = "us-central1" }
    }
  }
}

run "another_output_prefix" {
  command = plan
  variables {
    clusters = {
      a = { bucket = "lab-a", location = "us-central1", output_prefixes = ["mayfly/", "results/"] }
      b = { bucket = "lab-b", location = "us-central1" }
      c = { bucket = "lab-c", location = "us-central1" }
      d = { bucket = "lab-d", location = "us-central1" }
    }
  }
}

run "another_archive" {
  command = plan
  variables {
    functions_archive = "tests/newer.zip"
    agent_bundle      = "tests/newer.tar.gz"
  }
}

run "the_same_archive_elsewhere" {
  command = plan
  variables {
    functions_archive = "tests/../tests/functions.zip"
    agent_bundle      = "tests/../tests/bundle.tar.gz"
  }
}

run "another_region_of_workers" {
  command = plan
  variables {
    worker_regions = { us-central1 = "10.20.0.0/20", us-west4 = "10.20.16.0/20" }
  }
}

run "another_person" {
  command = plan
  variables {
    people = {
      submitters = ["group:research@example.org", "user:Ada@example.org"]
      admins     = ["group:infrastructure@example.org"]
    }
  }
}

run "a_person_spelled_otherwise" {
  command = plan
  variables {
    people = {
      submitters = ["group:Research@Example.org"]
      admins     = ["group:infrastructure@example.org"]
    }
  }
}

run "another_secret" {
  command = plan
  variables {
    secrets = ["hf-token", "wandb"]
  }
}

run "another_label" {
  command = plan
  variables {
    labels = { team = "research" }
  }
}

run "a_budget_and_a_volume" {
  command = plan
  variables {
    budget                = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 500 }
    storage               = [{ name = "vol", filestore = { zone = "us-central1-a", capacityGb = 1024 } }]
    storage_usd_per_month = 200
  }
}
