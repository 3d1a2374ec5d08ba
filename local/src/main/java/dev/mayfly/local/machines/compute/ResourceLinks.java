package dev.mayfly.local.machines.compute;

/**
 * Resource names as URLs in the format of the real API.
 *
 * @param project this cloud's only project
 */
record ResourceLinks(String project) {
  private static final String BASE = "https://www.googleapis.com/compute/v1/";

  String region(String region) {
    return BASE + "projects/" + project + "/regions/" + region;
  }

  String zone(String zone) {
    return BASE + "projects/" + project + "/zones/" + zone;
  }

  String instance(String zone, String name) {
    return zone(zone) + "/instances/" + name;
  }

  String operation(String zone, String name) {
    return zone(zone) + "/operations/" + name;
  }

  String machineType(String zone, String name) {
    return zone(zone) + "/machineTypes/" + name;
  }

  /** The last part of a full or partial URL: the resource's short name. */
  static String last(String link) {
    return link.substring(link.lastIndexOf('/') + 1);
  }
}
