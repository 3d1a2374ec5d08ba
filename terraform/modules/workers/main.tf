resource "google_compute_network" "workers" {
  project                 = var.project
  name                    = "mayfly"
  auto_create_subnetworks = false
}

# Made last, so that they go first: Google refuses to delete a subnet with machines in it, and a destroy that begins before
# they are gone ends here, with everything left that would delete them.
resource "google_compute_subnetwork" "workers" {
  for_each                 = var.regions
  project                  = var.project
  name                     = "mayfly"
  region                   = each.key
  network                  = google_compute_network.workers.id
  ip_cidr_range            = each.value
  private_ip_google_access = true
  depends_on = [
    var.after, google_compute_firewall.iap_ssh, google_compute_firewall.between_workers, google_compute_router_nat.workers,
  ]
}

# Only through Identity-Aware Proxy, which asks Google who it is. Agents listen nowhere.
resource "google_compute_firewall" "iap_ssh" {
  project       = var.project
  name          = "mayfly-iap-ssh"
  network       = google_compute_network.workers.name
  direction     = "INGRESS"
  source_ranges = ["35.235.240.0/20"]
  allow {
    protocol = "tcp"
    ports    = ["22"]
  }
}

# The hosts of a slice and the members of a gang speak to each other. No ranges would mean everybody: without regions there
# is no rule.
resource "google_compute_firewall" "between_workers" {
  count         = length(var.regions) == 0 ? 0 : 1
  project       = var.project
  name          = "mayfly-between-workers"
  network       = google_compute_network.workers.name
  direction     = "INGRESS"
  source_ranges = values(var.regions)
  allow {
    protocol = "tcp"
  }
  allow {
    protocol = "udp"
  }
  allow {
    protocol = "icmp"
  }
}

resource "google_compute_router" "workers" {
  for_each = var.nat ? var.regions : {}
  project  = var.project
  name     = "mayfly"
  region   = each.key
  network  = google_compute_network.workers.id
}

resource "google_compute_router_nat" "workers" {
  for_each                           = var.nat ? var.regions : {}
  project                            = var.project
  name                               = "mayfly"
  region                             = each.key
  router                             = google_compute_router.workers[each.key].name
  nat_ip_allocate_option             = "AUTO_ONLY"
  source_subnetwork_ip_ranges_to_nat = "ALL_SUBNETWORKS_ALL_IP_RANGES"
}
