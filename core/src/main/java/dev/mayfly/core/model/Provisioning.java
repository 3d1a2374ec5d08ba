package dev.mayfly.core.model;

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
  STATIC
}
