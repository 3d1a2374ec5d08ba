resource "google_project_service" "api" {
  for_each           = local.apis
  project            = var.project
  service            = each.key
  disable_on_destroy = false
}

# One API each: a budget is kept by the billing account, a volume by Filestore.
resource "google_project_service" "optional" {
  for_each           = setunion(var.filestore == null ? [] : ["file.googleapis.com"], var.budget == null ? [] : ["billingbudgets.googleapis.com"])
  project            = var.project
  service            = each.key
  disable_on_destroy = false
}

module "iam" {
  source   = "./modules/iam"
  project  = var.project
  database = var.database.name
  clusters = {
    for name, it in var.clusters : name => { bucket = module.storage.buckets[name], output_prefixes = it.output_prefixes }
  }
  secrets = var.secrets
  people = {
    submitters     = var.people.submitters
    admins         = var.people.admins
    static-workers = var.people.static_workers
  }
  depends_on = [google_project_service.api]
}

module "storage" {
  source         = "./modules/storage"
  project        = var.project
  region         = var.region
  clusters       = var.clusters
  filestore      = var.filestore
  network        = module.workers.network
  network_ranges = values(var.worker_regions)
  labels         = local.labels
  grants         = module.iam.grants
  depends_on     = [google_project_service.api, google_project_service.optional]
}

module "workers" {
  source            = "./modules/workers"
  project           = var.project
  regions           = var.worker_regions
  nat               = var.nat
  compact_placement = var.compact_placement
  depends_on        = [google_project_service.api]
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
  static_accounts = [for it in var.people.static_workers : trimprefix(it, "serviceAccount:")]
  grants          = module.iam.grants
  network         = { network = module.workers.network, subnetwork = module.workers.subnetwork }
  labels          = local.labels
  settle_seconds  = var.settle_seconds
  depends_on      = [google_project_service.api]
}

module "observability" {
  source     = "./modules/observability"
  project    = var.project
  topic      = module.control_plane.vm_events_topic
  channels   = var.notification_channels
  budget     = var.budget
  depends_on = [google_project_service.api, google_project_service.optional]
}
