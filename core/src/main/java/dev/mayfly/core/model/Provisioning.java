package dev.mayfly.core.model;

/** How a pool's machines are bought. */
public enum Provisioning {
  /** Cheap, and taken back by the cloud at any moment. */
  SPOT,
  ON_DEMAND
}
