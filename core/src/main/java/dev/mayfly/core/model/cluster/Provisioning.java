package dev.mayfly.core.model.cluster;

import java.util.Locale;

/** How a pool's machines are bought. */
public enum Provisioning {
  /** Cheap, but may be preempted by the cloud at any moment. */
  SPOT,
  ON_DEMAND,
  /** From a reservation that is paid for anyway. */
  RESERVED,
  /** Requested now and provided when available, for the pool's {@code life} at most. */
  FLEX_START,
  /** The user's own machines, which join by themselves. */
  STATIC;

  /** As users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
