mock_provider "google" {
  mock_data "google_project_iam_policy" {
    defaults = { policy_data = "{\"bindings\":[{\"role\":\"roles/eventarc.serviceAgent\",\"members\":[\"serviceAccount:service-1@gcp-sa-eventarc.iam.gserviceaccount.com\"]}]}" }
  }
}

variables {
  project           = "lab-batch"
  region            = "us-central1"
  functions_archive = "tests/functions.zip"
}


run "refuses_a_project_that_is_no_id" {
  command = plan
  variables {
    project = "Lab"
  }
  expect_failures = [var.project]
}

run "refuses_a_zone_for_a_region" {
  command = plan
  variables {
    region = "us-central1-a"
  }
  expect_failures = [var.region]
}

run "refuses_a_database_of_two_letters" {
  command = plan
  variables {
    database = { name = "x" }
  }
  expect_failures = [var.database]
}

run "refuses_an_archive_that_is_not_there" {
  command = plan
  variables {
    functions_archive = "tests/none.zip"
  }
  expect_failures = [var.functions_archive]
}

run "refuses_a_cluster_in_capitals" {
  command = plan
  variables {
    clusters = { Lab = { bucket = "lab-bucket", location = "us-central1" } }
  }
  expect_failures = [var.clusters]
}

run "refuses_a_bucket_with_its_scheme" {
  command = plan
  variables {
    clusters = { lab = { bucket = "gs://lab", location = "us-central1" } }
  }
  expect_failures = [var.clusters]
}

run "refuses_an_output_prefix_that_is_everything" {
  command = plan
  variables {
    clusters = { lab = { bucket = "lab-bucket", location = "us-central1", output_prefixes = [""] } }
  }
  expect_failures = [var.clusters]
}

run "refuses_an_output_prefix_of_mayflys_own" {
  command = plan
  variables {
    clusters = { lab = { bucket = "lab-bucket", location = "us-central1", output_prefixes = ["mayfly/.code/"] } }
  }
  expect_failures = [var.clusters]
}

run "refuses_logs_that_are_never_kept" {
  command = plan
  variables {
    clusters = { lab = { bucket = "lab-bucket", location = "us-central1", expire_log_days = 0 } }
  }
  expect_failures = [var.clusters]
}

run "refuses_a_range_that_is_none" {
  command = plan
  variables {
    worker_regions = { us-central1 = "10.20.0.0" }
  }
  expect_failures = [var.worker_regions]
}

run "refuses_one_range_for_two_regions" {
  command = plan
  variables {
    worker_regions = { us-central1 = "10.20.0.0/20", us-west4 = "10.20.0.0/20" }
  }
  expect_failures = [var.worker_regions]
}

run "refuses_a_webhook_secret_with_its_version" {
  command = plan
  variables {
    webhook_secrets = ["mayfly-webhook/latest"]
  }
  expect_failures = [var.webhook_secrets]
}

run "refuses_a_secret_with_its_project" {
  command = plan
  variables {
    secrets = ["projects/p/secrets/wandb"]
  }
  expect_failures = [var.secrets]
}

run "refuses_everybody" {
  command = plan
  variables {
    people = { submitters = ["allUsers"] }
  }
  expect_failures = [var.people]
}

run "refuses_a_person_whom_no_topic_can_be_called_after" {
  command = plan
  variables {
    people = { personal = { "Ann.B" = { members = ["user:ann@example.org"] } } }
  }
  expect_failures = [var.people]
}

run "refuses_a_person_who_may_act_for_everybody" {
  command = plan
  variables {
    people = { submitters = ["user:Ann@example.org"], personal = { ann = { members = ["user:ann@example.org"] } } }
  }
  expect_failures = [var.people]
}

run "refuses_one_member_as_two_persons" {
  command = plan
  variables {
    people = { personal = { ann = { members = ["user:ann@example.org"] }, bob = { members = ["user:Ann@example.org"] } } }
  }
  expect_failures = [var.people]
}

run "refuses_everybody_as_a_person" {
  command = plan
  variables {
    people = { personal = { ann = { members = ["allAuthenticatedUsers"] } } }
  }
  expect_failures = [var.people]
}

run "refuses_a_small_volume" {
  command = plan
  variables {
    storage = [{ name = "vol", filestore = { zone = "us-central1-a", capacityGb = 100 } }]
  }
  expect_failures = [var.storage]
}

run "refuses_a_small_fast_volume" {
  command = plan
  variables {
    storage = [{ name = "vol", filestore = { zone = "us-central1-a", capacityGb = 1024, tier = "BASIC_SSD" } }]
  }
  expect_failures = [var.storage]
}

run "refuses_a_volume_without_a_zone" {
  command = plan
  variables {
    storage = [{ name = "vol", filestore = { capacityGb = 1024 } }]
  }
  expect_failures = [var.storage]
}

run "refuses_two_volumes_of_one_name" {
  command = plan
  variables {
    storage = [
      { name = "vol", filestore = { zone = "us-central1-a", capacityGb = 1024 } },
      { name = "vol", filestore = { zone = "us-central1-a", capacityGb = 2048 } },
    ]
    storage_usd_per_month = 5000
  }
  expect_failures = [var.storage]
}

run "refuses_a_volume_whose_price_nobody_said" {
  command = plan
  variables {
    storage = [{ name = "vol", filestore = { zone = "us-central1-a", capacityGb = 1024 } }]
  }
  expect_failures = [terraform_data.storage]
}

run "refuses_a_price_that_is_too_low" {
  command = plan
  variables {
    storage               = [{ name = "vol", filestore = { zone = "us-central1-a", capacityGb = 1024 } }]
    storage_usd_per_month = 163
  }
  expect_failures = [terraform_data.storage]
}

run "refuses_a_channel_by_its_name" {
  command = plan
  variables {
    notification_channels = ["pager"]
  }
  expect_failures = [var.notification_channels]
}

run "refuses_a_budget_of_nothing" {
  command = plan
  variables {
    budget = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 0 }
  }
  expect_failures = [var.budget]
}

run "refuses_labels_in_capitals" {
  command = plan
  variables {
    labels = { Team = "research" }
  }
  expect_failures = [var.labels]
}

run "refuses_a_bundle_that_is_not_there" {
  command = plan
  variables {
    agent_bundle = "tests/none.tar.gz"
  }
  expect_failures = [var.agent_bundle]
}

run "refuses_a_static_worker_that_is_no_service_account" {
  command = plan
  variables {
    people = { static_workers = ["group:desks@example.org"] }
  }
  expect_failures = [var.people]
}

run "refuses_ranges_that_overlap" {
  command = plan
  variables {
    worker_regions = { us-central1 = "10.20.0.0/16", us-west4 = "10.20.128.0/20" }
  }
  expect_failures = [var.worker_regions]
}

run "takes_ranges_side_by_side" {
  command = plan
  variables {
    worker_regions = { us-central1 = "10.20.0.0/20", us-west4 = "10.20.16.0/20" }
  }
}

run "refuses_a_range_of_four_addresses" {
  command = plan
  variables {
    worker_regions = { us-central1 = "10.20.0.0/30" }
  }
  expect_failures = [var.worker_regions]
}

run "refuses_a_twenty_first_cluster" {
  command = plan
  variables {
    clusters = { for n in range(21) : "lab-${n}" => { bucket = "lab-bucket-${n}", location = "us-central1" } }
  }
  expect_failures = [var.clusters]
}

run "refuses_a_tenth_output_prefix" {
  command = plan
  variables {
    clusters = { lab = { bucket = "lab-bucket", location = "us-central1", output_prefixes = [for n in range(10) : "out-${n}/"] } }
  }
  expect_failures = [var.clusters]
}

run "refuses_a_budget_with_cents" {
  command = plan
  variables {
    budget = { billing_account = "012345-6789AB-CDEF01", monthly_amount = 0.5 }
  }
  expect_failures = [var.budget]
}

run "refuses_three_days_of_soft_delete" {
  command = plan
  variables {
    clusters = { lab = { bucket = "lab-bucket", location = "us-central1", soft_delete_days = 3 } }
  }
  expect_failures = [var.clusters]
}

run "refuses_a_project_without_eventarcs_account" {
  command = plan
  override_data {
    target = data.google_project_iam_policy.this
    values = { policy_data = "{\"bindings\":[{\"role\":\"roles/owner\",\"members\":[\"user:ada@example.org\"]}]}" }
  }
  expect_failures = [terraform_data.agents]
}

run "refuses_an_account_without_its_role" {
  command = plan
  override_data {
    target = data.google_project_iam_policy.this
    values = { policy_data = "{\"bindings\":[{\"role\":\"roles/viewer\",\"members\":[\"serviceAccount:service-1@gcp-sa-eventarc.iam.gserviceaccount.com\"]}]}" }
  }
  expect_failures = [terraform_data.agents]
}
