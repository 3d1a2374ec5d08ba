package dev.mayfly.core.catalog;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;

/** What makes the machines of a pool. */
public enum MachineKind {
  /** Compute Engine. */
  VM("machines of Compute Engine"),
  /** Compute Engine, with TPU chips. */
  TPU_VM("TPU machines of Compute Engine"),
  /** Cloud TPU. */
  TPU("TPUs"),
  /** People: the machines join by themselves. */
  OWN("static workers");

  private final String words;

  MachineKind(String words) {
    this.words = words;
  }

  /** As in a sentence: {@code is not for TPUs}. */
  String words() {
    return words;
  }

  public static MachineKind of(PoolSpec pool) {
    if (pool.provisioning() == Provisioning.STATIC) return OWN;
    var tpu = pool.machine().tpu().isPresent() || TpuTypes.isName(pool.machineType());
    if (tpu) return TPU;
    return TpuMachine.image(pool.machineType()).isPresent() ? TPU_VM : VM;
  }

  /** Whether Compute Engine makes them. */
  public boolean isCompute() {
    return this == VM || this == TPU_VM;
  }
}
