package dev.mayfly.core.model.cluster;

import java.util.Locale;

/** How a pool's machines are bought. */
public enum Provisioning {
  /** Cheap, and taken back by the cloud at any moment. */
  SPOT,
  ON_DEMAND,
  /** From a reservation that is paid for anyway. */
  RESERVED,
  /** Asked for now, given when there is some, for the pool's {@code life} at most. */
  FLEX_START,
  /** Machines of one's own, that join by themselves. */
  STATIC;

  /** As users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
