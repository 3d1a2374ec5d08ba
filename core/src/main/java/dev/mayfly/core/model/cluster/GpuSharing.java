package dev.mayfly.core.model.cluster;

/** How tasks share a GPU. */
public enum GpuSharing {
  /** The driver gives each process its slice of time; nothing limits its memory. */
  TIME_SLICING,
  /**
   * NVIDIA's Multi-Process Service runs them at the same time, and enforces the limit of memory of
   * each. All of them share its server's failures.
   */
  MPS
}
