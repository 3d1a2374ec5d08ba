package dev.mayfly.agent.process.kill;

import dev.mayfly.agent.process.ProcessCalls;
import dev.mayfly.agent.process.kill.ProcessTable.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Adopts orphans among the agent's descendants, so that a task's daemon stays findable, and waits
 * for them when they end, so that they do not stay zombies.
 */
public final class OrphanReaper {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Optional<ProcessCalls> calls;
  private final ProcessTable table = new ProcessTable();
  private final int self = (int) ProcessHandle.current().pid();
  private final Map<Entry, Long> deadSince = new HashMap<>();

  private OrphanReaper(Optional<ProcessCalls> calls) {
    this.calls = calls;
  }

  /** For a caller that starts no processes. */
  static OrphanReaper none() {
    return new OrphanReaper(Optional.empty());
  }

  /** Makes this process adopt orphans, if the system supports it. */
  public static OrphanReaper adopt() {
    try {
      var calls = new ProcessCalls();
      return new OrphanReaper(calls.becomeSubreaper() == 0 ? Optional.of(calls) : Optional.empty());
    } catch (NoSuchElementException | IllegalCallerException | UnsupportedOperationException e) {
      return new OrphanReaper(Optional.empty());
    }
  }

  /**
   * Whether an ended attempt may have left a process: cheap enough for every task.
   *
   * <p>The kernel gives orphans to the adopting process's first thread, and lists a thread's
   * children in one small file. The agent's first thread has no other children.
   *
   * @param known recognizes the attempts' first processes, which move to that thread when the
   *     thread that started them ends
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
   * Waits for dead orphans. Whoever waits for another's child takes its exit code away, so first
   * processes of attempts are left to the thread that waits for them, and all others for a while:
   * Java waits for its own, later on a busy machine.
   *
   * @param known recognizes the attempts' first processes
   */
  synchronized void reap(Predicate<Integer> known) {
    reap(known, PATIENCE);
  }

  synchronized void reap(Predicate<Integer> known, Duration patience) {
    if (calls.isEmpty()) {
      return;
    }
    var dead =
        table.all().stream().filter(entry -> entry.parent() == self && entry.zombie()).toList();
    var status = new int[1];
    for (var orphan : due(dead, known, System.nanoTime(), patience)) {
      calls.get().tryWait(orphan.pid(), status);
    }
  }

  /**
   * Those to wait for now; forgets those that are not dead any more.
   *
   * @param dead children of this process that have ended
   * @param now in nanoseconds
   */
  List<Entry> due(List<Entry> dead, Predicate<Integer> known, long now, Duration patience) {
    deadSince.keySet().retainAll(dead);
    for (var child : dead) {
      deadSince.putIfAbsent(child, now);
    }
    return dead.stream()
        .filter(child -> !known.test(child.pid()))
        .filter(child -> now - deadSince.getOrDefault(child, now) >= patience.toNanos())
        .toList();
  }
}
