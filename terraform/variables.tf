variable "project" {
  description = "Project to deploy into, one deployment a project."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "project must be a project's id: 6 to 30 lower case letters, digits and hyphens, such as lab-batch."
  }
}
variable "region" {
  description = "Region of the control plane: functions, topics, ticks, artifacts."
  type        = string
  nullable    = false
  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "region must be a region such as us-central1; a zone has a letter more."
  }
}
variable "database" {
  description = "Firestore database and its location; default: the region of the control plane."
  type        = object({ name = optional(string, "mayfly"), location = optional(string) })
  default     = {}
  nullable    = false
  validation {
    condition     = can(regex("^([a-z][a-z0-9-]{2,61}[a-z0-9]|\\(default\\))$", var.database.name))
    error_message = "database.name must be 4 to 63 lower case letters, digits and hyphens, or (default)."
  }
}
variable "functions_archive" {
  description = "Zip with the functions' jar and their Java runtime, as functions/bundle leaves it."
  type        = string
  nullable    = false
  validation {
    condition     = endswith(var.functions_archive, ".zip") && fileexists(var.functions_archive)
    error_message = "functions_archive must be a zip file that exists; docs/deploy.md says how it is made."
  }
}
variable "agent_bundle" {
  description = "Archive with the agent and its Java runtime, or null where machines' images bring them."
  type        = string
  default     = null
  validation {
    condition     = var.agent_bundle == null || try(endswith(var.agent_bundle, ".tar.gz") && fileexists(var.agent_bundle), false)
    error_message = "agent_bundle must be a .tar.gz file that exists, or null."
  }
}
variable "clusters" {
  description = "Clusters by name: their bucket, where it is, the prefixes below which tasks may replace objects, and how long it keeps logs (expire_log_days, 90) and what was deleted or replaced (soft_delete_days, 0). A cluster's machines are named after it, and no others may be made."
  type = map(object({
    bucket           = string
    location         = string
    create_bucket    = optional(bool, true)
    output_prefixes  = optional(set(string), ["mayfly/", "results/", "out/", "outputs/", "checkpoints/"])
    expire_log_days  = optional(number, 90)
    soft_delete_days = optional(number, 0)
  }))
  default  = {}
  nullable = false
  validation {
    condition     = alltrue([for name, _ in var.clusters : can(regex("^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$", name))])
    error_message = "clusters: a cluster's name is 1 to 40 lower case letters, digits and hyphens, such as us-central2."
  }
  validation {
    condition     = alltrue([for it in values(var.clusters) : can(regex("^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$", it.bucket))])
    error_message = "clusters: bucket is a bucket's name without gs://, such as lab-us-central2."
  }
  validation {
    condition     = alltrue(flatten([for it in values(var.clusters) : [for p in it.output_prefixes : can(regex("^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*/$", p)) && !startswith(p, "mayfly/.")]]))
    error_message = "clusters: an output prefix is a folder that ends with /, such as toxicity/, and is not one of Mayfly's own (mayfly/.)."
  }
  validation {
    condition     = alltrue([for it in values(var.clusters) : it.expire_log_days >= 1])
    error_message = "clusters: expire_log_days is at least 1."
  }
  validation {
    condition     = alltrue([for it in values(var.clusters) : it.soft_delete_days == 0 || it.soft_delete_days >= 7 && it.soft_delete_days <= 90])
    error_message = "clusters: soft_delete_days is 0, or 7 to 90: Cloud Storage takes no others."
  }
  validation {
    condition     = length(var.clusters) <= 20
    error_message = "clusters: at most 20. IAM keeps 20 conditions of one role for one account, and each cluster's machines have one; more clusters go into another project."
  }
  validation {
    condition     = alltrue([for it in values(var.clusters) : length(it.output_prefixes) >= 1 && length(it.output_prefixes) <= 9])
    error_message = "clusters: output_prefixes are 1 to 9 folders. IAM takes 12 operators a condition, of which Mayfly needs four; put more folders below a common one."
  }
}
variable "worker_regions" {
  description = "Address range of the workers' subnet in each region that has zones of a pool."
  type        = map(string)
  default     = {}
  nullable    = false
  validation {
    condition     = alltrue([for range in values(var.worker_regions) : can(cidrhost(range, 0)) && !strcontains(range, ":")])
    error_message = "worker_regions: each value is a range of IPv4 addresses such as 10.20.0.0/20."
  }
  validation {
    condition     = length(distinct(values(var.worker_regions))) == length(var.worker_regions)
    error_message = "worker_regions: two regions have the same range of addresses."
  }
  validation {
    condition     = alltrue([for range in values(var.worker_regions) : try(tonumber(split("/", range)[1]) <= 29, false)])
    error_message = "worker_regions: a range has at least 8 addresses, so what follows the / is at most 29."
  }
  validation {
    # Two ranges overlap if the shorter of their prefixes is the same in both.
    condition = alltrue(flatten([
      for i, one in values(var.worker_regions) : [
        for j, other in values(var.worker_regions) : i >= j || try(
          cidrhost("${split("/", one)[0]}/${min(split("/", one)[1], split("/", other)[1])}", 0) !=
          cidrhost("${split("/", other)[0]}/${min(split("/", one)[1], split("/", other)[1])}", 0),
          false
        )
      ]
    ]))
    error_message = "worker_regions: ranges overlap (${join(", ", values(var.worker_regions))}); each region needs addresses of its own, such as 10.20.0.0/20 and 10.20.16.0/20."
  }
}
variable "nat" {
  description = "Whether workers reach the internet outside of Google, for package indexes and public images. They have no external address either way."
  type        = bool
  default     = true
  nullable    = false
}
variable "keep_images" {
  description = "Whether the image repository, with the images that people pushed to it, outlives terraform destroy."
  type        = bool
  default     = true
  nullable    = false
}
variable "secrets" {
  description = "Names of secrets in Secret Manager that workers may read: those of `secrets` and of `registries` in clusters and jobs. They are not created here, and their values never come near Terraform."
  type        = set(string)
  default     = []
  nullable    = false
  validation {
    condition     = alltrue([for name in var.secrets : can(regex("^[A-Za-z0-9_-]{1,255}$", name))])
    error_message = "secrets: the name of a secret alone, such as wandb, without its project or version."
  }
}
variable "webhook_secrets" {
  description = "Names of secrets in Secret Manager that sign what is posted to webhooks: those of `notifications.webhook.secret` in clusters. Function notifications may read them, and workers may not. They are not created here."
  type        = set(string)
  default     = []
  nullable    = false
  validation {
    condition     = alltrue([for name in var.webhook_secrets : can(regex("^[A-Za-z0-9_-]{1,255}$", name))])
    error_message = "webhook_secrets: the name of a secret alone, such as mayfly-webhook, without its project or version."
  }
}
variable "webhook_private_networks" {
  description = "Whether clusters' webhooks may be at addresses of private networks that functions reach (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7). Without it, admins of clusters cannot make the function notifications call into a network that they do not reach themselves. Addresses of metadata servers are never called."
  type        = bool
  default     = false
  nullable    = false
}
variable "people" {
  description = "Who may submit jobs for every owner, whose topics are their own (personal: by name, with admin = true for clusters too), who may bring clusters up, who may only read state, who may log in to workers and enter tasks (as root, with the rights of the workers' account), as in IAM (user:, group:, serviceAccount:, domain:, principal: or principalSet:), and which service accounts static workers authenticate as (serviceAccount: only)."
  type = object({
    submitters     = optional(set(string), [])
    admins         = optional(set(string), [])
    viewers        = optional(set(string), [])
    developers     = optional(set(string), [])
    static_workers = optional(set(string), [])
    personal       = optional(map(object({ members = set(string), admin = optional(bool, false) })), {})
  })
  default  = {}
  nullable = false
  validation {
    condition     = alltrue([for name in keys(var.people.personal) : can(regex("^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$", name))])
    error_message = "people.personal: the name of a person, whom topics and jobs are called after, has 1 to 40 of a-z, 0-9 and hyphens, begins with a letter and ends with none of the hyphens."
  }
  validation {
    condition     = alltrue([for it in values(var.people.personal) : length(setintersection([for m in it.members : lower(m)], [for m in var.people.submitters : lower(m)])) == 0])
    error_message = "people.personal: one of these members is in people.submitters too, who act for every owner; leave them in one of the two."
  }
  validation {
    condition     = length(flatten([for it in values(var.people.personal) : [for m in it.members : lower(m)]])) == length(toset(flatten([for it in values(var.people.personal) : [for m in it.members : lower(m)]])))
    error_message = "people.personal: one member is two persons; who asked would not be certain."
  }
  validation {
    condition = alltrue([
      for member in setunion(var.people.submitters, var.people.admins, var.people.viewers, var.people.developers, var.people.static_workers, [for it in values(var.people.personal) : it.members]...) :
      can(regex("^(user|group|serviceAccount|domain|principal|principalSet):.+$", member))
    ])
    error_message = "people: each is written as in IAM, such as group:lab@example.org; allUsers and allAuthenticatedUsers are never let in."
  }
  validation {
    condition     = alltrue([for it in var.people.static_workers : can(regex("^serviceAccount:[^@, ]+@[^@, ]+$", it))])
    error_message = "people.static_workers: a static worker authenticates as a service account, such as serviceAccount:desks@lab.iam.gserviceaccount.com; the function workers knows it by that e-mail. Grant its machine's login roles/iam.serviceAccountTokenCreator on it."
  }
}
variable "viewers_read_objects" {
  description = "Whether people.viewers read the clusters' buckets too: outputs and logs."
  type        = bool
  default     = false
  nullable    = false
}
variable "submitters" {
  description = "Whether tasks may be given the right to submit jobs (submitter: true in a job whose cluster allows it). It lets whoever is root on a worker submit jobs: docs/security.md says what that widens."
  type        = bool
  default     = false
  nullable    = false
}
variable "storage" {
  description = "What clusters' files have as storage: yamldecode(file(\"lab.yaml\")).storage, or concat of several. Each entry whose filestore has capacityGb is made here, under its name; the same entry in two files is one volume. It costs money as long as it exists: see storage_usd_per_month."
  type = list(object({
    name      = string
    filestore = optional(object({ zone = optional(string), tier = optional(string, "BASIC_HDD"), capacityGb = optional(number) }))
  }))
  default  = []
  nullable = false
  validation {
    condition     = alltrue([for it in var.storage : can(regex("^[a-z]([-a-z0-9]{0,40}[a-z0-9])?$", it.name))])
    error_message = "storage: a name has lower-case letters, digits and hyphens, begins with a letter and has 42 characters at most."
  }
  validation {
    condition     = alltrue([for it in var.storage : try(it.filestore.capacityGb, null) == null || try(it.filestore.zone, null) != null])
    error_message = "storage: an entry with filestore.capacityGb is made here and needs filestore.zone."
  }
  validation {
    condition     = alltrue([for it in var.storage : try(it.filestore.capacityGb, null) == null || try(it.filestore.capacityGb >= { BASIC_HDD = 1024, BASIC_SSD = 2560, ZONAL = 1024, REGIONAL = 1024 }[it.filestore.tier], false)])
    error_message = "storage: filestore.capacityGb is at least 1024, of tier BASIC_SSD 2560; the tiers are BASIC_HDD, BASIC_SSD, ZONAL and REGIONAL."
  }
  validation {
    condition     = alltrue([for it in var.storage : try(it.filestore.capacityGb, null) == null || alltrue([for other in var.storage : other.name != it.name || try(other.filestore.capacityGb, null) == null || other.filestore == it.filestore])])
    error_message = "storage: two files define one name with another zone, tier or capacityGb; write these in one of them, and filestore: {} in the other."
  }
}
variable "storage_usd_per_month" {
  description = "What the volumes of storage may cost a month at list price, in US dollars: a volume is made only if this is at least the sum, which an error names."
  type        = number
  default     = 0
  nullable    = false
}
variable "notification_channels" {
  description = "Notification channels that alerts go to, as projects/P/notificationChannels/N."
  type        = set(string)
  default     = []
  nullable    = false
  validation {
    condition     = alltrue([for it in var.notification_channels : can(regex("^projects/[^/]+/notificationChannels/[0-9]+$", it))])
    error_message = "notification_channels: each is projects/PROJECT/notificationChannels/NUMBER; gcloud alpha monitoring channels list shows them."
  }
}
variable "budget" {
  description = "A budget that warns at half, nine tenths and all of it, or null; the amount is in the billing account's currency. It warns only, and stops nothing."
  type        = object({ billing_account = string, monthly_amount = number })
  default     = null
  validation {
    condition     = var.budget == null || try(can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.budget.billing_account)) && var.budget.monthly_amount >= 1 && floor(var.budget.monthly_amount) == var.budget.monthly_amount, false)
    error_message = "budget: billing_account is written 012345-6789AB-CDEF01, and monthly_amount is a whole number of 1 or more, in the billing account's currency."
  }
}
variable "labels" {
  description = "Labels of everything that is made here, beside mayfly=control-plane."
  type        = map(string)
  default     = {}
  nullable    = false
  validation {
    condition     = alltrue([for k, v in var.labels : can(regex("^[a-z][a-z0-9_-]{0,62}$", k)) && can(regex("^[a-z0-9_-]{0,63}$", v))])
    error_message = "labels: lower case letters, digits, _ and -, 63 at most; keys begin with a letter."
  }
}
variable "settle_seconds" {
  description = "How long the first apply waits for APIs that it turned on, and as long again for new rights before it makes functions. 0 where all of it was used before."
  type        = number
  default     = 180
  nullable    = false
  validation {
    condition     = var.settle_seconds >= 0 && var.settle_seconds <= 900 && floor(var.settle_seconds) == var.settle_seconds
    error_message = "settle_seconds: a whole number from 0 to 900."
  }
}
