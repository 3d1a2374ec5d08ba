resource "google_project_service" "api" {
  for_each           = local.apis
  project            = var.project
  service            = each.key
  disable_on_destroy = false
}

# One API each: a budget is kept by the billing account, a volume by Filestore.
resource "google_project_service" "optional" {
  for_each           = setunion(length(local.looked_up) == 0 ? [] : ["file.googleapis.com"], var.budget == null ? [] : ["billingbudgets.googleapis.com"])
  project            = var.project
  service            = each.key
  disable_on_destroy = false
}

# What was deployed in a region stays there: another region would mean to delete everything here, and other people's
# images with it, before anything is made there.
# A region without Cloud Scheduler is none to stay in, so that the ticks come before.
resource "terraform_data" "region" {
  input      = var.region
  depends_on = [module.control_plane.ticks]
  lifecycle {
    ignore_changes = [input]
    postcondition {
      condition     = self.output == var.region
      error_message = "region: this deployment is in ${self.output}, and a deployment does not move. Set region back; or run terraform destroy, which ends it there, before you deploy to ${var.region}."
    }
  }
}

# Nothing that costs by the month is made before somebody has said so.
resource "terraform_data" "storage" {
  input = local.storage_usd_per_month
  lifecycle {
    precondition {
      condition     = var.storage_usd_per_month >= local.storage_usd_per_month
      error_message = "storage: ${join(", ", sort(keys(local.filestores)))} cost about ${ceil(local.storage_usd_per_month)} USD a month at list price as long as they exist (${local.prices.source}, ${local.prices.month}, ${local.prices.region}; other regions differ). To make them, set storage_usd_per_month = ${ceil(local.storage_usd_per_month)}; you set ${var.storage_usd_per_month}."
    }
  }
}

# Google makes some accounts of its own with the first call that needs them, which it then refuses: Eventarc's comes with
# the first trigger. An account that was asked for before has no role until somebody grants it.
data "google_project_iam_policy" "this" {
  project = var.project
}

resource "terraform_data" "agents" {
  lifecycle {
    precondition {
      condition     = length(local.absent_agents) == 0
      error_message = "Google's own account of ${join(", ", [for it in local.absent_agents : it.service])} is not there, or lacks its role; left to itself, Google makes it too late for what is made here. Make it, and apply again:\n\n${join("\n", local.absent_agents[*].commands)}"
    }
  }
}

# An API that was turned on answers some time later. An API that is added later is waited for again.
resource "terraform_data" "apis" {
  triggers_replace = sort(concat([for it in google_project_service.api : it.service], [for it in google_project_service.optional : it.service]))
  provisioner "local-exec" {
    command = "sleep ${var.settle_seconds}"
  }
  depends_on = [terraform_data.agents]
}

# Read before anything is changed, so that a change elsewhere does not make the number unknown.
data "google_project" "this" {
  count      = var.budget == null ? 0 : 1
  project_id = var.project
}

module "iam" {
  source   = "./modules/iam"
  project  = var.project
  database = var.database.name
  clusters = {
    for name, it in var.clusters : name => { bucket = module.storage.buckets[name], output_prefixes = it.output_prefixes }
  }
  secrets         = { secrets = var.secrets, webhook-secrets = var.webhook_secrets }
  personal_topics = { for name, it in local.personal_topics : name => it.members }
  people = {
    submitters     = var.people.submitters
    personal       = setunion([], [for it in values(local.personal_topics) : it.members]...)
    admins         = var.people.admins
    viewers        = var.people.viewers
    developers     = var.people.developers
    static-workers = var.people.static_workers
  }
  switches   = { submitters = var.submitters, viewers_read_objects = var.viewers_read_objects }
  depends_on = [terraform_data.apis]
}

module "storage" {
  source         = "./modules/storage"
  project        = var.project
  region         = var.region
  clusters       = var.clusters
  filestores     = local.filestores
  network        = module.workers.network
  network_ranges = values(var.worker_regions)
  labels         = local.labels
  grants         = module.iam.grants
  keep_images    = var.keep_images
  ticks          = module.control_plane.ticks
  depends_on     = [terraform_data.apis, terraform_data.storage]
}

module "workers" {
  source     = "./modules/workers"
  project    = var.project
  regions    = var.worker_regions
  nat        = var.nat
  after      = [module.control_plane.made, module.iam.made, module.storage.made, module.observability.made]
  depends_on = [terraform_data.apis]
}

module "control_plane" {
  source          = "./modules/control-plane"
  project         = var.project
  region          = var.region
  database        = { name = var.database.name, location = coalesce(var.database.location, var.region) }
  archive         = var.functions_archive
  bundle          = var.agent_bundle
  artifacts       = module.storage.artifacts
  repository      = module.storage.repository
  emails          = module.iam.emails
  webhook_reach   = var.webhook_private_networks ? "private-networks" : "internet"
  static_accounts = [for it in var.people.static_workers : lower(trimprefix(it, "serviceAccount:"))]
  personal_topics = { for name, it in local.personal_topics : name => it.function }
  grants          = module.iam.grants
  network         = { network = module.workers.network, subnetwork = module.workers.subnetwork }
  labels          = local.labels
  settle_seconds  = var.settle_seconds
  depends_on      = [terraform_data.apis]
}

module "observability" {
  source     = "./modules/observability"
  project    = var.project
  topic      = module.control_plane.vm_events_topic
  channels   = var.notification_channels
  budget     = var.budget
  number     = one(data.google_project.this[*].number)
  depends_on = [terraform_data.apis]
}
