package dev.mayfly.gcp.compute;

import com.google.cloud.compute.v1.InstanceAggregatedList;
import com.google.cloud.compute.v1.InstancesScopedList;
import com.google.cloud.compute.v1.Warning;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Inventory;
import java.util.ArrayList;
import java.util.List;

/** Combines the pages of a listing of all zones, and collects what is missing. */
final class InstanceListing {
  /** The warning of an empty zone. */
  private static final String EMPTY_ZONE = "NO_RESULTS_ON_PAGE";

  private final List<CloudMachine> cloudMachines = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  void add(InstanceAggregatedList page) {
    page.getUnreachablesList().forEach(zone -> warnings.add(zone + " did not answer"));
    if (page.hasWarning()) {
      add("all zones", page.getWarning());
    }
    page.getItemsMap().forEach(this::add);
  }

  Inventory total() {
    return new Inventory(cloudMachines, warnings.isEmpty(), warnings);
  }

  private void add(String scope, InstancesScopedList list) {
    for (var instance : list.getInstancesList())
      try {
        cloudMachines.add(InstanceReader.machine(instance));
      } catch (UnavailableException unknown) {
        warnings.add(scope + ": " + unknown.getMessage());
      }
    if (list.hasWarning()) {
      add(scope, list.getWarning());
    }
  }

  private void add(String scope, Warning warning) {
    if (!warning.getCode().equals(EMPTY_ZONE)) {
      warnings.add(scope + ": " + warning.getCode() + " " + warning.getMessage());
    }
  }
}
