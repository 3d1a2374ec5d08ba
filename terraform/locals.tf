locals {
  labels = merge(var.labels, { mayfly = "control-plane" })
  apis   = toset(jsondecode(file("${path.module}/apis.json")))
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
