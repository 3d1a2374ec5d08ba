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
    this(order.name(), id, order.labels(), order.metadata(), createdAt);
    this.foreign = foreign;
  }

  private SimMachine(
      Machine.Name name,
      String id,
      Map<String, String> labels,
      Map<String, String> metadata,
      Instant createdAt) {
    this.name = name;
    this.id = id;
    this.labels = labels;
    this.metadata = metadata;
    this.createdAt = createdAt;
  }

  /** One that no cloud knows, and that nobody can switch off from afar. */
  public static SimMachine own(
      String zone, String name, String id, Map<String, String> metadata, Instant now) {
    return new SimMachine(new Machine.Name(zone, name), id, Map.of(), metadata, now);
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
