package dev.mayfly.core.model.document;

import dev.mayfly.core.model.cluster.ClusterSpec;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * {@code clusters/{uid}}: a cluster as it is stored.
 *
 * @param uid the immutable identity; every resource in the cloud carries it as a label
 * @param generation raised by each accepted change of {@code spec}
 * @param launches raised by each commit that launches machines, by its names in {@code launched},
 *     so that two rounds cannot launch twice
 * @param endedAt when the last machine of a cluster that was taken down was proved gone
 * @param versions by pool, the newest change that only new machines follow; none: never changed
 * @param slices when the newest command about each slice by hand was published, those of deleted
 *     ones too: an older command comes too late and changes nothing
 * @param applied the hash of {@code spec} as messages left it; another one says that somebody
 *     changed the document by hand. Empty: nobody can tell
 * @param bornAs its first name if it has another one now: its machines' names begin with it, for
 *     rights may go by that
 * @param lastCommandAt when the newest command about it that was applied was published: an older
 *     one comes too late and changes nothing. Empty: the one that made it
 * @param launched the names of the workers that were launched last, the newest last, and before
 *     them of those whose end the same round knew of, so that what knows the others need not read
 *     them again
 */
public record Cluster(
    String uid,
    ClusterSpec spec,
    Phase phase,
    long generation,
    long launches,
    Instant createdAt,
    Optional<Instant> endedAt,
    Map<String, Version> versions,
    Map<String, Instant> slices,
    Optional<String> applied,
    Optional<String> bornAs,
    Optional<Instant> lastCommandAt,
    List<String> launched)
    implements LedgerDocument {
  /** How many names of launched workers are kept. */
  private static final int LAUNCHED = 400;

  public Cluster {
    launched = List.copyOf(launched);
    versions = Map.copyOf(versions);
    slices = Map.copyOf(slices);
  }

  /** A cluster that nobody has changed since it was made. */
  public Cluster(
      String uid,
      ClusterSpec spec,
      Phase phase,
      long generation,
      long launches,
      Instant createdAt,
      Optional<Instant> endedAt,
      Map<String, Version> versions,
      Map<String, Instant> slices,
      Optional<String> applied,
      Optional<String> bornAs) {
    this(
        uid,
        spec,
        phase,
        generation,
        launches,
        createdAt,
        endedAt,
        versions,
        slices,
        applied,
        bornAs,
        Optional.empty(),
        List.of());
  }

  /** A cluster none of whose pools has changed. */
  public Cluster(
      String uid,
      ClusterSpec spec,
      Phase phase,
      long generation,
      long launches,
      Instant createdAt,
      Optional<Instant> endedAt) {
    this(
        uid,
        spec,
        phase,
        generation,
        launches,
        createdAt,
        endedAt,
        Map.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** A cluster without slices by hand. */
  public Cluster(
      String uid,
      ClusterSpec spec,
      Phase phase,
      long generation,
      long launches,
      Instant createdAt,
      Optional<Instant> endedAt,
      Map<String, Version> versions) {
    this(
        uid,
        spec,
        phase,
        generation,
        launches,
        createdAt,
        endedAt,
        versions,
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * The newest change of a pool that only new machines follow.
   *
   * @param generation the cluster's that began with it
   * @param what changed, in words
   */
  public record Version(long generation, Instant at, String what) {}

  /** UP until somebody takes it down; GOING until nothing of it is left in the cloud; then GONE. */
  public enum Phase {
    UP,
    GOING,
    GONE
  }

  @Override
  public DocumentKey.OfCluster key() {
    return new DocumentKey.OfCluster(uid);
  }

  public Cluster with(Phase next) {
    return edit(e -> e.phase = next);
  }

  /** The same with another spec; {@link #applied} says of the old one what it said. */
  public Cluster withSpec(ClusterSpec next, long number, Map<String, Version> then) {
    return edit(e -> {
      e.spec = next;
      e.generation = number;
      e.versions = then;
    });
  }

  /** A command about it that was published then was applied. */
  public Cluster withLastCommandAt(Instant at) {
    return edit(e -> e.lastCommandAt = Optional.of(at));
  }

  /** When the newest command about it that was applied was published. */
  public Instant newestCommandAt() {
    return lastCommandAt.orElse(createdAt);
  }

  /** With the name that its spec says. */
  public Cluster renamed(String before) {
    return edit(e -> e.bornAs = Optional.of(bornAs.orElse(before)));
  }

  /** What its machines' names begin with. */
  public String prefix() {
    return bornAs.orElse(spec.name());
  }

  /** With the hash of its spec, which is as a message asked for. */
  public Cluster applied(String hash) {
    return edit(e -> e.applied = Optional.of(hash));
  }

  /** Nothing of it is left. */
  public Cluster withGone(Instant at) {
    return edit(e -> {
      e.phase = Phase.GONE;
      e.endedAt = Optional.of(at);
    });
  }

  /** Having heard of slices by hand at those times. */
  public Cluster withSliceCommands(Map<String, Instant> told) {
    return edit(e -> e.slices = told);
  }

  public Cluster withLaunched(List<String> workers, Collection<String> ended) {
    var names = Stream.of(launched, ended, workers).<String>flatMap(Collection::stream).toList();
    return edit(e -> {
      e.launches += ended.size() + workers.size();
      e.launched = names.subList(Math.max(0, names.size() - LAUNCHED), names.size());
    });
  }

  /**
   * The workers that were launched or found to have ended since it was like that; empty if anything
   * else changed too, or if they are too many to be known.
   */
  public Optional<List<String>> launchedSince(Cluster before) {
    var more = launches - before.launches;
    var same =
        edit(e -> {
          e.launches = before.launches;
          e.launched = before.launched;
        });
    if (!same.equals(before) || more < 0 || more > launched.size()) return Optional.empty();
    return Optional.of(launched.subList(launched.size() - (int) more, launched.size()));
  }

  private Cluster edit(Consumer<Edit> change) {
    var edit = new Edit(this);
    change.accept(edit);
    return edit.made(this);
  }

  /** What may become another value, so that each change names only what it changes. */
  private static final class Edit {
    private ClusterSpec spec;
    private Phase phase;
    private long generation;
    private long launches;
    private Optional<Instant> endedAt;
    private Map<String, Version> versions;
    private Map<String, Instant> slices;
    private Optional<String> applied;
    private Optional<String> bornAs;
    private Optional<Instant> lastCommandAt;
    private List<String> launched;

    Edit(Cluster was) {
      spec = was.spec;
      phase = was.phase;
      generation = was.generation;
      launches = was.launches;
      endedAt = was.endedAt;
      versions = was.versions;
      slices = was.slices;
      applied = was.applied;
      bornAs = was.bornAs;
      lastCommandAt = was.lastCommandAt;
      launched = was.launched;
    }

    Cluster made(Cluster was) {
      return new Cluster(
          was.uid,
          spec,
          phase,
          generation,
          launches,
          was.createdAt,
          endedAt,
          versions,
          slices,
          applied,
          bornAs,
          lastCommandAt,
          launched);
    }
  }
}
