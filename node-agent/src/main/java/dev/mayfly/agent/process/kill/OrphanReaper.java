package dev.mayfly.agent.process.kill;

import dev.mayfly.agent.process.ProcessCalls;
import dev.mayfly.agent.process.kill.ProcessTable.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The orphans among the agent's descendants: it adopts them, so that a task's daemon stays
 * findable, and waits for them when they end, so that they do not stay as zombies.
 */
public final class OrphanReaper {
  private final Optional<ProcessCalls> calls;
  private final ProcessTable table = new ProcessTable();
  private final int self = (int) ProcessHandle.current().pid();
  private Set<Entry> seen = Set.of();

  private OrphanReaper(Optional<ProcessCalls> calls) {
    this.calls = calls;
  }

  /** For who starts nothing. */
  static OrphanReaper none() {
    return new OrphanReaper(Optional.empty());
  }

  /** From now on this process adopts orphans, where the system can do that. */
  public static OrphanReaper adopt() {
    try {
      var calls = new ProcessCalls();
      return new OrphanReaper(calls.becomeSubreaper() == 0 ? Optional.of(calls) : Optional.empty());
    } catch (NoSuchElementException | IllegalCallerException | UnsupportedOperationException e) {
      return new OrphanReaper(Optional.empty());
    }
  }

  /**
   * Whether there may be a process that an ended attempt left: cheap enough for every task.
   *
   * <p>The kernel gives orphans to the first thread of whoever adopts them, and lists a thread's
   * children in one small file; ours has no children of its own.
   *
   * @param known first processes of attempts, which come to that thread when the one that started
   *     them ends
   */
  boolean mayHaveLeftovers(Predicate<Integer> known) {
    if (calls.isEmpty()) {
      return true;
    }
    try {
      var text = Files.readString(Path.of("/proc/self/task/" + self + "/children"));
      return Stream.of(text.strip().split(" "))
          .filter(pid -> !pid.isEmpty())
          .anyMatch(pid -> !known.test(Integer.valueOf(pid)));
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public String toString() {
    return calls.isPresent() ? "adopted" : "not adopted";
  }

  /**
   * Waits for dead orphans. Only those that were dead at the last call too: a process that somebody
   * else in this JVM waits for is gone by then.
   */
  synchronized void reap() {
    if (calls.isEmpty()) {
      return;
    }
    var dead =
        table.all().stream()
            .filter(entry -> entry.parent() == self && entry.zombie())
            .collect(Collectors.toCollection(HashSet::new));
    var status = new int[1];
    dead.stream().filter(seen::contains).forEach(e -> calls.get().tryWait(e.pid(), status));
    seen = dead;
  }
}
