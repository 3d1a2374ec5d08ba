package dev.mayfly.sim.fake;

import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A machine's true state, whatever the cloud reports. */
public final class SimMachine {
  private final CloudMachine.Name name;
  private final String id;
  private final Map<String, String> labels;
  private final Map<String, String> metadata;
  private final Instant createdAt;
  private boolean foreign;
  CloudMachine.Status shown = CloudMachine.Status.STARTING;
  boolean visible;
  boolean powered;
  boolean wasOn;
  boolean gone;
  boolean deleting;

  /** Whether the cloud keeps its request, and has no machine for it. */
  boolean waiting;

  private @Nullable Instant onSince;
  private @Nullable Instant leftAt;
  private Duration billed = Duration.ZERO;

  SimMachine(Fleet.Order order, String id, Instant createdAt, boolean foreign) {
    this(order.name(), id, order.labels(), order.metadata(), createdAt);
    this.foreign = foreign;
  }

  private SimMachine(
      CloudMachine.Name name,
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

  /** A machine that no cloud knows and that cannot be powered off remotely. */
  public static SimMachine staticMachine(
      String zone, String name, String id, Map<String, String> metadata, Instant now) {
    return new SimMachine(new CloudMachine.Name(zone, name), id, Map.of(), metadata, now);
  }

  public CloudMachine.Name name() {
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

  /** A machine without our labels: Mayfly must not touch it. */
  public boolean foreign() {
    return foreign;
  }

  /** Adds our label, as if Mayfly had made the machine. */
  public void addOurLabel() {
    foreign = false;
  }

  void switchedOn(Instant now) {
    powered = true;
    wasOn = true;
    leftAt = null;
    onSince = now;
  }

  void switchedOff(Instant now) {
    powered = false;
    left(now);
    if (onSince != null) billed = billed.plus(Duration.between(onSince, now));
    onSince = null;
  }

  /**
   * For how long it ran until it was last switched off: clouds bill from RUNNING on and not for
   * stopped machines (cloud.google.com/compute/vm-instance-pricing).
   */
  public Duration billed() {
    return billed;
  }

  /** The same until now, for a machine that may still run. */
  public Duration billed(Instant now) {
    return onSince == null ? billed : billed.plus(Duration.between(onSince, now));
  }

  /** Whether anything runs on it. */
  public boolean powered() {
    return powered;
  }

  /** Whether it ran and stopped for good. */
  public boolean dead() {
    return wasOn && !powered;
  }

  void gone(Instant now) {
    gone = true;
    left(now);
  }

  void deleting(Instant now) {
    deleting = true;
    left(now);
  }

  private void left(Instant now) {
    if (leftAt == null) leftAt = now;
  }

  /** From when on it neither ran nor started; empty while it does. */
  public Optional<Instant> leftAt() {
    return Optional.ofNullable(leftAt);
  }

  /** Whether it no longer exists and costs nothing. */
  public boolean gone() {
    return gone;
  }

  CloudMachine machine() {
    return new CloudMachine(name, id, shown, labels, createdAt);
  }

  @Override
  public String toString() {
    return name.name();
  }
}
