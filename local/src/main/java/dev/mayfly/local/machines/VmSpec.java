package dev.mayfly.local.machines;

import dev.mayfly.core.catalog.MachineTypes;
import java.util.List;
import java.util.Map;

/**
 * The description of a machine in its metadata.
 *
 * @param id the instance's number, never reused
 * @param zone such as {@code us-central1-a}
 * @param machineType such as {@code n2-standard-4}
 * @param serviceAccount the email of the account that it runs as
 * @param spot whether it may be preempted
 * @param address its address for other machines
 * @param attributes its metadata items
 * @param gpus its simulated GPUs
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
    List<FakeGpu> gpus) {
  /** The number of this cloud's only project. */
  public static final String PROJECT_NUMBER = "1";

  public VmSpec {
    attributes = Map.copyOf(attributes);
    gpus = List.copyOf(gpus);
  }

  /** The TPU chips of its type; 0 for none. */
  public int tpuChips() {
    return tpuChips(machineType);
  }

  /** The TPU chips of one machine of a type; 0 for none. */
  public static int tpuChips(String machineType) {
    return MachineTypes.shape(machineType).map(has -> (int) has.tpuChips()).orElse(0);
  }

  String marker() {
    return "MAYFLY_VM=" + id;
  }
}
