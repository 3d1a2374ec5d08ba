package dev.mayfly.local.machines;

import java.util.List;
import java.util.Map;

/**
 * What a machine is told about itself.
 *
 * @param id the instance's number, never used again
 * @param zone such as {@code us-central1-a}
 * @param machineType such as {@code n2-standard-4}
 * @param serviceAccount the email of the account that it runs as
 * @param spot whether it may be preempted
 * @param address where other machines reach it
 * @param attributes its metadata items
 * @param gpus the driver's name of each GPU that it seems to have
 */
public record VmSpec(
    String id,
    String name,
    String zone,
    String project,
    String machineType,
    int cpus,
    long memoryMb,
    String serviceAccount,
    boolean spot,
    String address,
    Map<String, String> attributes,
    List<String> gpus) {
  /** The number of the one project that this cloud has. */
  public static final String PROJECT_NUMBER = "1";

  public VmSpec {
    attributes = Map.copyOf(attributes);
    gpus = List.copyOf(gpus);
  }

  /** A machine without GPUs. */
  public VmSpec(
      String id,
      String name,
      String zone,
      String project,
      String machineType,
      int cpus,
      long memoryMb,
      String serviceAccount,
      boolean spot,
      String address,
      Map<String, String> attributes) {
    this(
        id,
        name,
        zone,
        project,
        machineType,
        cpus,
        memoryMb,
        serviceAccount,
        spot,
        address,
        attributes,
        List.of());
  }

  String marker() {
    return "MAYFLY_VM=" + id;
  }
}
