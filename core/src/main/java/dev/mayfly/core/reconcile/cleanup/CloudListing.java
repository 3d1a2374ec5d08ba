package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.port.Fleet.Inventory;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a cleanup pass begins: what the cloud lists, and the readable clusters by uid.
 *
 * @param at when both were read
 */
record CloudListing(Instant at, Inventory inventory, Map<String, Cluster> clusters) {
  CloudListing {
    clusters = Collections.unmodifiableMap(new LinkedHashMap<>(clusters));
  }
}
