package dev.mayfly.agent.os;

import dev.mayfly.agent.os.ProcessTable.Entry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Tells which of the machine's processes belong to which attempt.
 *
 * <p>The processes are read first and the living attempts after them, and an attempt is registered
 * before its first process starts: so a process that has just started is never taken for a
 * leftover.
 */
final class Suspects {
  private final Path workRoot;
  private final String root;
  private final ProcessTable table;
  private final int self = (int) ProcessHandle.current().pid();
  private final long agentStarted;
  private final int agentSession;

  Suspects(Path workRoot, ProcessTable table) {
    this.workRoot = workRoot;
    this.root = Marks.root(workRoot);
    this.table = table;
    var agent = table.find(self);
    this.agentStarted = agent.map(Entry::started).orElse(0L);
    this.agentSession = agent.map(Entry::session).orElse(0);
  }

  /** A process that should not be there. */
  record Suspect(int pid, int session, Predicate<Suspect> stillIt) {
    /** Signals it, if the number still belongs to the same process. */
    void end(Running.Sig signal) {
      ProcessHandle.of(pid)
          .filter(handle -> stillIt.test(this))
          .ifPresent(handle -> {
            boolean unused =
                signal == Running.Sig.TERM ? handle.destroy() : handle.destroyForcibly();
          });
    }
  }

  /** The living processes of one attempt. */
  List<Suspect> of(WholeKill.Attempt attempt, Supplier<Collection<WholeKill.Attempt>> live) {
    var entries = ourTime();
    var others = live.get().stream().filter(a -> !a.id().equals(attempt.id())).toList();
    var oldestOther = oldest(entries, others);
    var own = sessions(List.of(attempt));
    return closure(
        entries,
        entry ->
            own.contains(entry.session())
                || isMarked(entry, attempt)
                || (isStray(entry, others) && entry.started() < oldestOther));
  }

  /**
   * Those of an attempt that are in its container, as far as this machine shows them. Signals pass
   * from a client to the container's first process, and from there to its child: each of these
   * processes hears of a signal once if neither of the two gets it. Besides, podman's client ends
   * itself, and with it what was not read yet, when there is nobody left to pass it on to.
   */
  List<Suspect> inside(WholeKill.Attempt attempt, Supplier<Collection<WholeKill.Attempt>> live) {
    if (!attempt.contained()) return List.of();
    var depth = table.numbers(self).size();
    var inside = new ArrayList<Suspect>();
    var firsts = new ArrayList<Suspect>();
    for (var suspect : of(attempt, live)) {
      var numbers = table.numbers(suspect.pid());
      if (numbers.size() <= depth) continue;
      (numbers.getLast() == 1 ? firsts : inside).add(suspect);
    }
    return inside.isEmpty() ? firsts : inside;
  }

  /**
   * Whether it carries the mark of that attempt of this agent: several agents of one computer may
   * run the same attempt, each of them a rank of a gang.
   */
  private boolean isMarked(Entry entry, WholeKill.Attempt attempt) {
    var marks = table.marks(entry.pid());
    return attempt.id().equals(marks.get(Marks.ATTEMPT)) && root.equals(marks.get(Marks.TASK_OF));
  }

  /** The living processes of attempts that do not run any more. */
  List<Suspect> ofEnded(Supplier<Collection<WholeKill.Attempt>> attempts) {
    var entries = ourTime();
    var live = attempts.get();
    var oldestLive = oldest(entries, live);
    var ids = live.stream().map(WholeKill.Attempt::id).collect(Collectors.toSet());
    var sessions = sessions(live);
    return closure(
        entries,
        entry -> {
          if (sessions.contains(entry.session())) {
            return false;
          }
          var marks = table.marks(entry.pid());
          return root.equals(marks.get(Marks.TASK_OF))
              ? !ids.contains(marks.getOrDefault(Marks.ATTEMPT, ""))
              : isStray(entry, live) && entry.started() < oldestLive;
        });
  }

  /**
   * Every living process that carries this work directory's mark, or is in a session that an
   * attempt began.
   */
  List<Suspect> ofAnyIncarnation() {
    var entries = living(table.all());
    var sessions = FirstProcess.sessions(workRoot, table);
    sessions.remove(agentSession);
    return closure(
        entries,
        entry ->
            sessions.contains(entry.session())
                || root.equals(table.marks(entry.pid()).get(Marks.TASK_OF)));
  }

  /** An orphan that we adopted: a child in a session of its own that is no attempt's first. */
  private boolean isStray(Entry entry, Collection<WholeKill.Attempt> live) {
    return entry.parent() == self
        && entry.session() != agentSession
        && !sessions(live).contains(entry.session())
        && table.marks(entry.pid()).isEmpty();
  }

  static Set<Integer> sessions(Collection<WholeKill.Attempt> attempts) {
    return attempts.stream()
        .flatMap(attempt -> attempt.first().stream())
        .map(first -> (int) first.pid())
        .collect(Collectors.toSet());
  }

  private static long oldest(List<Entry> entries, Collection<WholeKill.Attempt> attempts) {
    var firsts = sessions(attempts);
    return entries.stream()
        .filter(entry -> firsts.contains(entry.pid()))
        .mapToLong(Entry::started)
        .min()
        .orElse(attempts.isEmpty() ? Long.MAX_VALUE : 0);
  }

  /** What is older than the agent cannot be a task of this incarnation. */
  private List<Entry> ourTime() {
    return living(table.all()).stream().filter(e -> e.started() >= agentStarted).toList();
  }

  private List<Entry> living(List<Entry> entries) {
    return entries.stream().filter(e -> !e.zombie() && e.pid() != self).toList();
  }

  /** Those that match, and all that descend from them. */
  private List<Suspect> closure(List<Entry> entries, Predicate<Entry> matches) {
    Map<Integer, List<Entry>> children =
        entries.stream().collect(Collectors.groupingBy(Entry::parent));
    var chosen = new HashSet<Entry>();
    entries.stream().filter(matches).forEach(entry -> add(entry, children, chosen));
    return chosen.stream().map(e -> new Suspect(e.pid(), e.session(), s -> unchanged(e))).toList();
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
