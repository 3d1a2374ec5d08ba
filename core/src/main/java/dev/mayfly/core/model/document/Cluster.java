package dev.mayfly.core.model.document;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.schedule.ScheduleDue;
import dev.mayfly.core.model.worker.Cordon;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
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
 * @param launches raised by each commit that launches machines, by the number of names added to
 *     {@code launched}, so that two passes cannot launch twice
 * @param endedAt when the last machine of a cluster that was taken down was proved gone
 * @param versions by pool, the newest change that only new machines follow; absent if there was
 *     none
 * @param slices when the newest command about each manual slice, deleted ones included, was
 *     published; older commands are ignored
 * @param applied the hash of {@code spec} as messages left it; a different hash means that the
 *     document was edited by hand. Empty if unknown
 * @param bornAs its first name if it was renamed: its machines' names begin with it, because rights
 *     may depend on that
 * @param lastCommandAt when the newest applied command about it was published; older commands are
 *     ignored. Empty: the command that created it
 * @param launched the workers launched last, newest last, each preceded by the workers that the
 *     same pass found ended; readers that know the others need not read them again
 * @param fullStorage the names of file systems that were warned of as nearly full and are not
 *     relieved
 * @param cordons by pool, the newest time in which none of its machines takes anything new and none
 *     is ordered, perhaps over; a command older than it is ignored
 * @param usedAt when somebody was last seen to use it, by a message or a job; absent before a tick
 *     has looked
 * @param schedules when each of its schedules is due, by what commands call it
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
    List<String> launched,
    List<String> fullStorage,
    Map<String, Cordon> cordons,
    Optional<Instant> usedAt,
    Map<String, ScheduleDue> schedules)
    implements LedgerDocument {
  private static final int LAUNCHED = 400;

  public Cluster {
    launched = List.copyOf(launched);
    fullStorage = List.copyOf(fullStorage);
    versions = Map.copyOf(versions);
    slices = Map.copyOf(slices);
    cordons = Map.copyOf(cordons);
    schedules = Map.copyOf(schedules);
  }

  /** A cluster without changed pools. */
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
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        Map.of(),
        Optional.empty(),
        Map.of());
  }

  /**
   * The newest change of a pool that only new machines follow.
   *
   * @param generation the cluster's generation with that change
   * @param what changed, in words
   */
  public record Version(long generation, Instant at, String what) {}

  /** UP until it is taken down; GOING until nothing of it is left in the cloud; then GONE. */
  public enum Phase {
    UP,
    GOING,
    GONE
  }

  @Override
  public DocumentKey.OfCluster key() {
    return new DocumentKey.OfCluster(uid);
  }

  /** A copy with another spec; {@link #applied} keeps the hash of the old one. */
  public Cluster withSpec(ClusterSpec next, long number, Map<String, Version> then) {
    return edit(e -> {
      e.spec = next;
      e.generation = number;
      e.versions = then;
    });
  }

  public Cluster withFullStorage(List<String> names) {
    return edit(e -> e.fullStorage = names);
  }

  public Cluster withCordon(String pool, Cordon cordon) {
    var next = new HashMap<>(cordons);
    next.put(pool, cordon);
    return edit(e -> e.cordons = next);
  }

  /** The cordon of the pool that holds now. */
  public Optional<Cordon> cordon(String pool, Instant now) {
    return Optional.ofNullable(cordons.get(pool)).filter(it -> it.holds(now));
  }

  /**
   * @param due of the schedule of that address; empty if there is none any more
   */
  public Cluster withSchedule(String address, Optional<ScheduleDue> due) {
    var next = new HashMap<>(schedules);
    next.remove(address);
    due.ifPresent(it -> next.put(address, it));
    return edit(e -> e.schedules = next);
  }

  /** Whether one of its schedules is due by then. */
  public boolean hasDue(Instant time) {
    return phase == Phase.UP && schedules.values().stream().anyMatch(it -> it.isBy(time));
  }

  /** Records that somebody used it then. */
  public Cluster withUsedAt(Instant at) {
    return edit(e -> e.usedAt = Optional.of(at));
  }

  /** Records that a command published at {@code at} was applied. */
  public Cluster withLastCommandAt(Instant at) {
    return edit(e -> e.lastCommandAt = Optional.of(at));
  }

  /** When the newest applied command about it was published. */
  public Instant newestCommandAt() {
    return lastCommandAt.orElse(createdAt);
  }

  /** Records the name before a rename; the spec has the new one. */
  public Cluster renamed(String before) {
    return edit(e -> e.bornAs = Optional.of(bornAs.orElse(before)));
  }

  /** The prefix of its machines' names. */
  public String prefix() {
    return bornAs.orElse(spec.name());
  }

  /** A copy with the hash of its spec, which a message asked for. */
  public Cluster applied(String hash) {
    return edit(e -> e.applied = Optional.of(hash));
  }

  /** It is taken down, also after it was gone. */
  public Cluster withGoing() {
    return edit(e -> {
      e.phase = Phase.GOING;
      e.endedAt = Optional.empty();
    });
  }

  public Cluster withGone(Instant at) {
    return edit(e -> {
      e.phase = Phase.GONE;
      e.endedAt = Optional.of(at);
    });
  }

  /** Records when the newest commands about manual slices were published. */
  public Cluster withSliceCommands(Map<String, Instant> times) {
    return edit(e -> e.slices = times);
  }

  public Cluster withLaunched(List<String> workers, Collection<String> ended) {
    var names = Stream.of(launched, ended, workers).<String>flatMap(Collection::stream).toList();
    return edit(e -> {
      e.launches += ended.size() + workers.size();
      e.launched = names.subList(Math.max(0, names.size() - LAUNCHED), names.size());
    });
  }

  /**
   * The workers launched or found ended since {@code before}; empty if anything else changed too,
   * or if there are more than {@code launched} keeps.
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

  /** The mutable fields of a copy, so that each change names only what it changes. */
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
    private List<String> fullStorage;
    private Map<String, Cordon> cordons;
    private Optional<Instant> usedAt;
    private Map<String, ScheduleDue> schedules;

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
      fullStorage = was.fullStorage;
      cordons = was.cordons;
      usedAt = was.usedAt;
      schedules = was.schedules;
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
          launched,
          fullStorage,
          cordons,
          usedAt,
          schedules);
    }
  }
}
