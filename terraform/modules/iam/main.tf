# access.json is the table of who may do what. docs/security.md is written from the same file.
locals {
  access   = jsondecode(file("${path.module}/access.json"))
  accounts = { for id, what in local.access.accounts : id => what if id != "task-submitter" || var.switches["submitters"] }
  members = merge(
    { for id, _ in local.accounts : id => toset(["serviceAccount:mayfly-${id}@${var.project}.iam.gserviceaccount.com"]) },
    # As Google keeps them: another spelling of a person would be a change for ever, and take the right away.
    { for who, members in var.people : who => toset([for it in members : startswith(it, "principal") ? it : replace(lower(it), "serviceaccount:", "serviceAccount:")]) },
  )

  # One entry a grant and member; what it is granted on is bound by the module that makes it, or here for the project.
  grants = merge(local.usual_grants, [
    for topic, members in var.personal_topics : {
      for member in members : "${member} roles/pubsub.publisher topic:${topic} " => {
        member    = member
        role      = "roles/pubsub.publisher"
        on        = "topic:${topic}"
        condition = ""
        why       = "to submit and change what is the person's own, and nothing else"
      }
    }
  ]...)
  usual_grants = merge([
    for grant in local.access.grants : {
      for member in local.members[grant.who] :
      "${member} ${grant.role} ${grant.on} ${try(grant.condition, "")}" => {
        member    = member
        role      = startswith(grant.role, "roles/") ? grant.role : "projects/${var.project}/roles/${grant.role}"
        on        = grant.on
        condition = try(grant.condition, "")
        why       = grant.why
      }
    } if !can(grant.when) || try(var.switches[grant.when], false)
  ]...)

  # A machine's name has at most 20 characters of its cluster's.
  machine_conditions = {
    for name in keys(var.clusters) : name => join(" || ", [
      for kind in ["instances", "disks", "addresses"] : "resource.name.extract(\"/${kind}/{name}\").startsWith(\"${trimsuffix(substr(name, 0, 20), "-")}-\")"
    ])
  }
  conditions = {
    database = "resource.name == \"projects/${var.project}/databases/${var.database}\""
    ssh      = "destination.port == 22"
    sources  = "resource.name.startsWith(\"projects/_/buckets/gcf-v2-sources-\")"
  }

  # IAM takes 12 operators a condition and 20 conditions a role and member. A binding a cluster: another cluster leaves
  # the bindings of the others as they are, and without clusters no account may make a machine.
  on_project = merge(
    {
      for key, grant in local.grants : key => merge(grant, {
        title      = grant.condition == "" ? "" : "mayfly ${grant.condition}"
        expression = grant.condition == "" ? "" : local.conditions[grant.condition]
      }) if contains(["project", "database"], grant.on) && grant.condition != "machines"
    },
    [
      for key, grant in local.grants : {
        for name, expression in local.machine_conditions : "${key} ${name}" => merge(grant, {
          title      = "mayfly machines of ${name}"
          expression = expression
        })
      } if grant.condition == "machines"
    ]...
  )
  # Nobody who may not list a bucket is told that an object is missing: it is denied.
  bucket_conditions = {
    for cluster, it in var.clusters : cluster => {
      for name, text in local.access.conditions : name => replace(replace(text, "{outputs}", join(" || ", [
        for prefix in sort(it.output_prefixes) : "resource.name.startsWith(\"{objects}/${prefix}\")"
      ])), "{objects}", "projects/_/buckets/${it.bucket}/objects")
    }
  }

  on_buckets = merge([
    for key, grant in local.grants : {
      for cluster, it in var.clusters : "${cluster} ${key}" => merge(grant, {
        bucket     = it.bucket
        expression = grant.condition == "" ? "" : local.bucket_conditions[cluster][grant.condition]
      })
    } if grant.on == "buckets"
  ]...)
  on_secrets = merge([
    for key, grant in local.grants : { for secret in var.secrets[grant.on] : "${secret} ${key}" => merge(grant, { secret = secret }) }
    if contains(keys(var.secrets), grant.on)
  ]...)
}

resource "google_service_account" "account" {
  for_each     = local.accounts
  project      = var.project
  account_id   = "mayfly-${each.key}"
  display_name = "Mayfly ${each.key}"
  description  = each.value
}

resource "google_project_iam_custom_role" "role" {
  for_each    = local.access.roles
  project     = var.project
  role_id     = each.key
  title       = each.value.title
  permissions = each.value.permissions
}

# A changed condition is another binding. The new one comes before the old one goes, and what a binding is for is not
# written into it: another word there would be another binding.
resource "google_project_iam_member" "grant" {
  for_each = local.on_project
  project  = var.project
  role     = each.value.role
  member   = each.value.member
  dynamic "condition" {
    for_each = each.value.expression == "" ? [] : [each.value]
    content {
      title      = condition.value.title
      expression = condition.value.expression
    }
  }
  lifecycle {
    create_before_destroy = true
  }
  depends_on = [google_service_account.account, google_project_iam_custom_role.role]
}

resource "google_storage_bucket_iam_member" "cluster" {
  for_each = local.on_buckets
  bucket   = each.value.bucket
  role     = each.value.role
  member   = each.value.member
  dynamic "condition" {
    for_each = each.value.expression == "" ? [] : [each.value.expression]
    content {
      title      = "mayfly ${each.value.condition}"
      expression = condition.value
    }
  }
  lifecycle {
    create_before_destroy = true
  }
  depends_on = [google_service_account.account, google_project_iam_custom_role.role]
}

resource "google_service_account_iam_member" "act_as" {
  for_each           = { for key, grant in local.grants : key => grant if startswith(grant.on, "account:") }
  service_account_id = google_service_account.account[trimprefix(each.value.on, "account:")].name
  role               = each.value.role
  member             = each.value.member
  depends_on         = [google_service_account.account]
}

resource "google_secret_manager_secret_iam_member" "worker" {
  for_each   = local.on_secrets
  project    = var.project
  secret_id  = each.value.secret
  role       = each.value.role
  member     = each.value.member
  depends_on = [google_service_account.account]
}
