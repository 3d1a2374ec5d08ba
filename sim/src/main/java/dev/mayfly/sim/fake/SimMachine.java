package dev.mayfly.sim.fake;

import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Machine;
import java.time.Instant;
import java.util.Map;

/** A machine as it truly is, whatever the cloud says of it. */
public final class SimMachine {
  private final Machine.Name name;
  private final String id;
  private final Map<String, String> labels;
  private final Map<String, String> metadata;
  private final Instant createdAt;
  private boolean foreign;
  Machine.Status shown = Machine.Status.STARTING;
  boolean visible;
  boolean powered;
  boolean wasOn;
  boolean gone;
  boolean deleting;

  SimMachine(Fleet.Order order, String id, Instant createdAt, boolean foreign) {
    this.name = order.name();
    this.id = id;
    this.labels = order.labels();
    this.metadata = order.metadata();
    this.createdAt = createdAt;
    this.foreign = foreign;
  }

  public Machine.Name name() {
    return name;
  }

  public String id() {
    return id;
  }

  public Map<String, String> labels() {
    return labels;
  }

  public Map<String, String> metadata() {
    return metadata;
  }

  public Instant createdAt() {
    return createdAt;
  }

  /** Somebody else's: to touch it is harm. */
  public boolean foreign() {
    return foreign;
  }

  /** It carries our label, whoever made it. */
  public void ours() {
    foreign = false;
  }

  /** Whether anything runs on it. */
  public boolean powered() {
    return powered;
  }

  /** Whether it ran once and does not any more. */
  public boolean dead() {
    return wasOn && !powered;
  }

  /** Whether nothing of it is left, so that it costs nothing. */
  public boolean gone() {
    return gone;
  }

  Machine machine() {
    return new Machine(name, id, shown, labels, createdAt);
  }

  @Override
  public String toString() {
    return name.name();
  }
}
