package dev.mayfly.gcp;

import java.util.regex.Pattern;

/**
 * Full names of networks and subnetworks, including their project: the only form that both Compute
 * Engine and Cloud TPU are known to accept. Users and Terraform also write {@code lab}, {@code
 * global/networks/lab} and whole URLs.
 */
public final class NetworkNames {
  private static final Pattern URL =
      Pattern.compile("^https://(www|compute)\\.googleapis\\.com/compute/(v1|beta)/");

  private NetworkNames() {}

  /** {@code projects/P/global/networks/N}. */
  public static String network(String project, String written) {
    return full(project, "global/networks/", written);
  }

  /** {@code projects/P/regions/R/subnetworks/N}, in the region of the zone. */
  public static String subnetwork(String project, String zone, String written) {
    return full(project, "regions/" + region(zone) + "/subnetworks/", written);
  }

  /** The region of a zone. */
  public static String region(String zone) {
    return zone.substring(0, Math.max(0, zone.lastIndexOf('-')));
  }

  private static String full(String project, String place, String written) {
    var name = URL.matcher(written).replaceFirst("");
    if (name.startsWith("projects/")) return name;
    return "projects/" + project + "/" + (name.contains("/") ? "" : place) + name;
  }
}
