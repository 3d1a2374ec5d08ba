package dev.mayfly.agent.process.kill;

import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.kill.ProcessTable.Entry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Maps the machine's processes to attempts.
 *
 * <p>Reads the processes before the live attempts. An attempt is registered before its first
 * process starts, so a process that has just started never counts as a leftover.
 */
final class TaskProcesses {
  private final Path workRoot;
  private final String root;
  private final ProcessTable table;
  private final int self = (int) ProcessHandle.current().pid();
  private final long agentStarted;
  private final int agentSession;

  /** When each process started that the agent had adopted before its first attempt. */
  private volatile Map<Integer, Long> spared = Map.of();

  TaskProcesses(Path workRoot, ProcessTable table) {
    this.workRoot = workRoot;
    this.root = TaskMarkers.root(workRoot);
    this.table = table;
    var agent = table.find(self);
    this.agentStarted = agent.map(Entry::started).orElse(0L);
    this.agentSession = agent.map(Entry::session).orElse(0);
  }

  /** What the agent has adopted so far is never an attempt's. */
  void spareAdopted() {
    var adopted = new HashMap<Integer, Long>();
    for (var entry : living(table.all()))
      if (isAdopted(entry)) adopted.put(entry.pid(), entry.started());
    spared = Map.copyOf(adopted);
  }

  /** Whether the agent had adopted that process before its first attempt. */
  boolean isSpared(int pid) {
    return spared.containsKey(pid)
        && table.find(pid).filter(e -> !e.zombie() && isSpared(e)).isPresent();
  }

  private boolean isSpared(Entry entry) {
    return Long.valueOf(entry.started()).equals(spared.get(entry.pid()));
  }

  private boolean isAdopted(Entry entry) {
    return entry.parent() == self && entry.session() != agentSession;
  }

  /** A process to signal. */
  record TaskProcess(int pid, int session, Predicate<TaskProcess> isUnchanged) {
    /** Signals the process if the id still belongs to it. */
    void end(RunningProcess.Sig signal) {
      ProcessHandle.of(pid)
          .filter(handle -> isUnchanged.test(this))
          .ifPresent(handle -> {
            boolean unused =
                signal == RunningProcess.Sig.TERM ? handle.destroy() : handle.destroyForcibly();
          });
    }
  }

  /** The live processes of one attempt. */
  List<TaskProcess> of(
      ProcessTreeKiller.AttemptProcesses attemptProcesses,
      Supplier<Collection<ProcessTreeKiller.AttemptProcesses>> live) {
    var entries = sinceAgentStart();
    var others = live.get().stream().filter(a -> !a.id().equals(attemptProcesses.id())).toList();
    var oldestOther = oldest(entries, others);
    var own = sessions(List.of(attemptProcesses));
    return closure(
        entries,
        entry ->
            own.contains(entry.session())
                || isMarked(entry, attemptProcesses)
                || (isStray(entry, others) && entry.started() < oldestOther));
  }

  /**
   * The attempt's processes inside its container, as far as this machine shows them. Signals pass
   * from the client to the container's first process and on to its child, so signalling neither of
   * the two delivers each signal once. Besides, podman's client exits, losing unread output, if no
   * process is left to forward a signal to.
   */
  List<TaskProcess> inside(
      ProcessTreeKiller.AttemptProcesses attemptProcesses,
      Supplier<Collection<ProcessTreeKiller.AttemptProcesses>> live) {
    if (!attemptProcesses.contained()) return List.of();
    var depth = table.numbers(self).size();
    var inside = new ArrayList<TaskProcess>();
    var firsts = new ArrayList<TaskProcess>();
    for (var taskProcess : of(attemptProcesses, live)) {
      var numbers = table.numbers(taskProcess.pid());
      if (numbers.size() <= depth) continue;
      (numbers.getLast() == 1 ? firsts : inside).add(taskProcess);
    }
    return inside.isEmpty() ? firsts : inside;
  }

  /**
   * Whether the process has the markers of that attempt and of this agent: several agents on one
   * computer may run the same attempt, each as one rank of a gang.
   */
  private boolean isMarked(Entry entry, ProcessTreeKiller.AttemptProcesses attemptProcesses) {
    var marks = table.marks(entry.pid());
    return attemptProcesses.id().equals(marks.get(TaskMarkers.ATTEMPT))
        && root.equals(marks.get(TaskMarkers.TASK_OF));
  }

  /** The live processes of attempts that have ended. */
  List<TaskProcess> ofEnded(Supplier<Collection<ProcessTreeKiller.AttemptProcesses>> attempts) {
    var entries = sinceAgentStart();
    var live = attempts.get();
    var oldestLive = oldest(entries, live);
    var ids = live.stream().map(ProcessTreeKiller.AttemptProcesses::id).collect(Collectors.toSet());
    var sessions = sessions(live);
    return closure(
        entries,
        entry -> {
          if (sessions.contains(entry.session())) {
            return false;
          }
          var marks = table.marks(entry.pid());
          return root.equals(marks.get(TaskMarkers.TASK_OF))
              ? !ids.contains(marks.getOrDefault(TaskMarkers.ATTEMPT, ""))
              : isStray(entry, live) && entry.started() < oldestLive;
        });
  }

  /**
   * All live processes that have this work directory's marker, or are in a session that an attempt
   * started.
   */
  List<TaskProcess> ofAnyIncarnation() {
    var entries = living(table.all());
    var sessions = FirstProcess.sessions(workRoot, table);
    sessions.remove(agentSession);
    return closure(
        entries,
        entry ->
            sessions.contains(entry.session())
                || root.equals(table.marks(entry.pid()).get(TaskMarkers.TASK_OF)));
  }

  /** An adopted orphan: a child in its own session that is no attempt's first process. */
  private boolean isStray(Entry entry, Collection<ProcessTreeKiller.AttemptProcesses> live) {
    return isAdopted(entry)
        && !isSpared(entry)
        && !sessions(live).contains(entry.session())
        && table.marks(entry.pid()).isEmpty();
  }

  static Set<Integer> sessions(Collection<ProcessTreeKiller.AttemptProcesses> attemptProcesses) {
    return attemptProcesses.stream()
        .flatMap(attempt -> attempt.first().stream())
        .map(first -> (int) first.pid())
        .collect(Collectors.toSet());
  }

  /**
   * When the oldest of these attempts began; 0 while one of them is being started. Until its
   * process runs its program, that has the agent's variables and no marker, and nobody knows it as
   * an attempt's first: nothing tells it from a stray, however young the other attempts are.
   */
  private static long oldest(
      List<Entry> entries, Collection<ProcessTreeKiller.AttemptProcesses> attemptProcesses) {
    if (attemptProcesses.stream().anyMatch(attempt -> attempt.first().isEmpty())) return 0;
    var firsts = sessions(attemptProcesses);
    return entries.stream()
        .filter(entry -> firsts.contains(entry.pid()))
        .mapToLong(Entry::started)
        .min()
        .orElse(attemptProcesses.isEmpty() ? Long.MAX_VALUE : 0);
  }

  /** A process older than the agent cannot be a task of this incarnation. */
  private List<Entry> sinceAgentStart() {
    return living(table.all()).stream().filter(e -> e.started() >= agentStarted).toList();
  }

  private List<Entry> living(List<Entry> entries) {
    return entries.stream().filter(e -> !e.zombie() && e.pid() != self).toList();
  }

  /** The matching processes and all their descendants. */
  private List<TaskProcess> closure(List<Entry> entries, Predicate<Entry> matches) {
    Map<Integer, List<Entry>> children =
        entries.stream().collect(Collectors.groupingBy(Entry::parent));
    var chosen = new HashSet<Entry>();
    entries.stream().filter(matches).forEach(entry -> add(entry, children, chosen));
    return chosen.stream()
        .map(e -> new TaskProcess(e.pid(), e.session(), s -> unchanged(e)))
        .toList();
  }

  private static void add(Entry entry, Map<Integer, List<Entry>> children, Set<Entry> chosen) {
    if (chosen.add(entry)) {
      children.getOrDefault(entry.pid(), List.of()).forEach(c -> add(c, children, chosen));
    }
  }

  private boolean unchanged(Entry entry) {
    return table.find(entry.pid()).filter(e -> e.started() == entry.started()).isPresent();
  }
}
