package dev.mayfly.core.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code clusters/{uid}/workers/{worker}}: one schedulable machine.
 *
 * @param name the machine's name too; made from the intent, never used again
 * @param epoch raised by every new incarnation and by loss; what an older one says changes nothing
 * @param seq the newest sync that was written here
 * @param nonceHash SHA-256 of the random value in the machine's metadata, in hex; several with
 *     commas between when it was ordered again
 * @param total what its agent may use
 * @param held its leases
 * @param notice when the cloud said that it will take the machine
 * @param instanceId the cloud's own number of the machine, once known
 * @param generation the cluster's when it was launched
 * @param problem the newest trouble that its agent or the cloud told, for people
 */
public record Worker(
    String cluster,
    String name,
    String pool,
    String zone,
    String machineType,
    WorkerState state,
    long epoch,
    long seq,
    String nonceHash,
    Optional<Incarnation> incarnation,
    Resources total,
    List<Held> held,
    Optional<Instant> notice,
    Optional<String> instanceId,
    long generation,
    Instant createdAt,
    Optional<Instant> firstSyncAt,
    Optional<String> problem)
    implements Document {
  public Worker {
    held = List.copyOf(held);
  }

  /**
   * A lease that the worker has.
   *
   * @param need what one task of it takes
   * @param running the tasks that were running when this was last written, 64 at most
   * @param gang whether it runs its task together with other hosts; it is then the worker's only
   *     one
   */
  public record Held(
      String job,
      long start,
      long epoch,
      Resources need,
      Instant since,
      List<Long> running,
      boolean gang) {
    public Held {
      running = List.copyOf(running);
    }

    /** A lease of tasks that run each for itself. */
    public Held(
        String job, long start, long epoch, Resources need, Instant since, List<Long> running) {
      this(job, start, epoch, need, since, running, false);
    }

    public LeaseRef ref() {
      return new LeaseRef(job, start, epoch);
    }
  }

  @Override
  public Key.OfWorker key() {
    return new Key.OfWorker(cluster, name);
  }

  public Worker with(WorkerState next) {
    return new Worker(
        cluster,
        name,
        pool,
        zone,
        machineType,
        next,
        epoch,
        seq,
        nonceHash,
        incarnation,
        total,
        held,
        notice,
        instanceId,
        generation,
        createdAt,
        firstSyncAt,
        problem);
  }

  public Worker holding(List<Held> next) {
    return new Worker(
        cluster,
        name,
        pool,
        zone,
        machineType,
        state,
        epoch,
        seq,
        nonceHash,
        incarnation,
        total,
        next,
        notice,
        instanceId,
        generation,
        createdAt,
        firstSyncAt,
        problem);
  }

  public Worker atEpoch(long next) {
    return new Worker(
        cluster,
        name,
        pool,
        zone,
        machineType,
        state,
        next,
        seq,
        nonceHash,
        incarnation,
        total,
        held,
        notice,
        instanceId,
        generation,
        createdAt,
        firstSyncAt,
        problem);
  }

  /** As it spoke: its incarnation, sequence number and what it has. */
  public Worker heard(Incarnation who, long number, Resources has, Instant at) {
    return new Worker(
        cluster,
        name,
        pool,
        zone,
        machineType,
        state,
        epoch,
        number,
        nonceHash,
        Optional.of(who),
        has,
        held,
        notice,
        Optional.of(instanceId.orElse(who.instanceId())),
        generation,
        createdAt,
        Optional.of(firstSyncAt.orElse(at)),
        problem);
  }

  public Worker noticed(Instant at) {
    return new Worker(
        cluster,
        name,
        pool,
        zone,
        machineType,
        state,
        epoch,
        seq,
        nonceHash,
        incarnation,
        total,
        held,
        Optional.of(at),
        instanceId,
        generation,
        createdAt,
        firstSyncAt,
        problem);
  }

  public Worker troubled(Optional<String> what) {
    return new Worker(
        cluster,
        name,
        pool,
        zone,
        machineType,
        state,
        epoch,
        seq,
        nonceHash,
        incarnation,
        total,
        held,
        notice,
        instanceId,
        generation,
        createdAt,
        firstSyncAt,
        what);
  }

  public Worker seen(String instance) {
    return new Worker(
        cluster,
        name,
        pool,
        zone,
        machineType,
        state,
        epoch,
        seq,
        nonceHash,
        incarnation,
        total,
        held,
        notice,
        Optional.of(instance),
        generation,
        createdAt,
        firstSyncAt,
        problem);
  }

  /** One more value that its machine may show. */
  public Worker knowing(String hash) {
    return new Worker(
        cluster,
        name,
        pool,
        zone,
        machineType,
        state,
        epoch,
        seq,
        nonceHash + "," + hash,
        incarnation,
        total,
        held,
        notice,
        instanceId,
        generation,
        createdAt,
        firstSyncAt,
        problem);
  }
}
