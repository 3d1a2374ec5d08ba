locals {
  # Each person's own topics: only their members publish to them, so who asked is certain.
  personal_topics = merge(concat(
    [for name, it in var.people.personal : { "mayfly-jobs-${name}" = { function = "jobs", members = local.persons[name] } }],
    [for name, it in var.people.personal : { "mayfly-clusters-${name}" = { function = "clusters", members = local.persons[name] } } if it.admin],
  )...)
  # As Google keeps them, as module iam has all people.
  persons = {
    for name, it in var.people.personal : name => toset([for m in it.members : startswith(m, "principal") ? m : replace(lower(m), "serviceaccount:", "serviceAccount:")])
  }
  labels = merge(var.labels, { mayfly = "control-plane" })
  apis   = toset(jsondecode(file("${path.module}/apis.json")))
}

# Google's own accounts that must be there, each with its role, before anything is made.
locals {
  agents  = jsondecode(file("${path.module}/service-agents.json"))
  granted = toset(flatten([for it in try(jsondecode(data.google_project_iam_policy.this.policy_data).bindings, []) : [for member in it.members : "${it.role} ${member}"]]))
  absent_agents = [for service, it in local.agents : {
    service = service
    # Terraform breaks no line that begins with a space.
    commands = join("\n", [for line in [
      "gcloud services enable ${service} --project=${var.project}",
      "gcloud beta services identity create --service=${service} --project=${var.project}",
      "gcloud projects add-iam-policy-binding ${var.project} --condition=None --role=${it.role} --member=serviceAccount:service-$(gcloud projects describe ${var.project} --format='value(projectNumber)')@${it.account}.iam.gserviceaccount.com",
    ] : "    ${line}"])
  } if !anytrue([for grant in local.granted : can(regex("^${it.role} serviceAccount:service-[0-9]+@${it.account}\\.iam\\.gserviceaccount\\.com$", grant))])]
}

# What clusters' files define as storage, once by name: an instance of Filestore that is looked up, and one that is made.
locals {
  prices    = jsondecode(file("${path.module}/storage-prices.json"))
  looked_up = toset([for it in var.storage : it.name if it.filestore != null])
  filestores = { for name, all in { for it in var.storage : it.name => it.filestore... if try(it.filestore.capacityGb, null) != null } : name => {
    zone        = all[0].zone
    tier        = all[0].tier
    capacity_gb = all[0].capacityGb
  } }
  storage_usd_per_month = sum(concat([0], [for it in values(local.filestores) : it.capacity_gb * local.prices.usd_per_gib_month[it.tier]]))
}
