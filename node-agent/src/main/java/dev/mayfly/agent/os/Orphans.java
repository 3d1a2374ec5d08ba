package dev.mayfly.agent.os;

import dev.mayfly.agent.os.ProcessTable.Entry;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The orphans among the agent's descendants: it adopts them, so that a task's daemon stays
 * findable, and waits for them when they end, so that they do not stay as zombies.
 */
public final class Orphans {
  private final Optional<ProcessCalls> calls;
  private final ProcessTable table = new ProcessTable();
  private final int self = (int) ProcessHandle.current().pid();
  private Set<Entry> seen = Set.of();

  private Orphans(Optional<ProcessCalls> calls) {
    this.calls = calls;
  }

  /** From now on this process adopts orphans, where the system can do that. */
  public static Orphans adopt() {
    try {
      var calls = new ProcessCalls();
      return new Orphans(calls.becomeSubreaper() == 0 ? Optional.of(calls) : Optional.empty());
    } catch (NoSuchElementException | IllegalCallerException | UnsupportedOperationException e) {
      return new Orphans(Optional.empty());
    }
  }

  /** Whether a process that left its parents behind comes to us. */
  public boolean adopted() {
    return calls.isPresent();
  }

  /**
   * Waits for dead orphans. Only those that were dead at the last call too: a process that
   * somebody else in this JVM waits for is gone by then.
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
