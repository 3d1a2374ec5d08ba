locals {
  labels = merge(var.labels, { mayfly = "control-plane" })
  apis   = toset(jsondecode(file("${path.module}/apis.json")))
}
