package dev.mayfly.local.machines;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What {@code /proc} tells of the processes that are alive now. */
final class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  /** One process; a zombie is none. */
  record Entry(long pid, long parent, long session, long startTicks, boolean stopped) {}

  private ProcessTable() {}

  /**
   * When a child of ours started, in the kernel's clock ticks; 0 if it has ended already. Its
   * marker does not matter: {@code environ} is empty while a process becomes another program, as a
   * new child does.
   */
  static long startTicks(long child) {
    return read(child).map(Entry::startTicks).orElse(0L);
  }

  /** The process of a trace, if it is alive: a recycled id has another start. */
  static Optional<Entry> find(VmHandle trace) {
    return read(trace.pid()).filter(entry -> entry.startTicks() == trace.startTicks());
  }

  /** Those of the processes that are alive. */
  static List<Entry> alive(Set<Long> processes) {
    return processes.stream().flatMap(pid -> read(pid).stream()).toList();
  }

  /** Whether it is alive, whatever became of what it carries. */
  static boolean isAlive(Entry process) {
    return read(process.pid()).filter(e -> e.startTicks() == process.startTicks()).isPresent();
  }

  /** The process, if it is alive and carries {@code marker}. */
  static Optional<Entry> find(long pid, String marker) {
    return read(pid).filter(entry -> carries(pid, marker));
  }

  /**
   * Every process of a machine, sessions of their own or not: those that carry {@code marker}, its
   * first process, and all their descendants. A machine's first process is in our own session until
   * it has begun one: that session is never a machine's, for whoever stops or kills all of it stops
   * the cloud, and the terminal that it was started in.
   *
   * @param first the first process if it still runs: for a moment after its start it carries
   *     nothing
   */
  static Set<Long> members(String marker, Optional<Entry> first) {
    var all = all();
    var own = read(ProcessHandle.current().pid()).map(Entry::session).orElse(0L);
    var members = new HashSet<Long>();
    var sessions = new HashSet<Long>();
    first.map(Entry::pid).ifPresent(members::add);
    first.map(Entry::session).ifPresent(sessions::add);
    for (var entry : all) {
      if (carries(entry.pid(), marker)) {
        members.add(entry.pid());
        sessions.add(entry.session());
      }
    }
    sessions.remove(own);
    while (grow(all, members, sessions, own)) {
      // Each pass finds the children of those that the pass before found.
    }
    return members;
  }

  /** Those that do not stand still. */
  static Set<Long> moving(Set<Long> processes) {
    var moving = new HashSet<>(processes);
    moving.removeIf(pid -> read(pid).map(Entry::stopped).orElse(true));
    return moving;
  }

  private static boolean grow(List<Entry> all, Set<Long> members, Set<Long> sessions, long own) {
    var grown = false;
    for (var entry : all) {
      var ours = sessions.contains(entry.session()) || members.contains(entry.parent());
      if (ours && members.add(entry.pid())) {
        if (entry.session() != own) sessions.add(entry.session());
        grown = true;
      }
    }
    return grown;
  }

  private static List<Entry> all() {
    var found = new ArrayList<Entry>();
    var names = PROC.toFile().list();
    for (var name : names == null ? new String[0] : names) {
      if (Character.isDigit(name.charAt(0))) {
        read(Long.parseLong(name)).ifPresent(found::add);
      }
    }
    return found;
  }

  private static Optional<Entry> read(long pid) {
    try {
      var text = Files.readString(PROC.resolve(pid + "/stat"), ISO_8859_1);
      // The program's name stands in parentheses and may hold anything, spaces too.
      var fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
      return "ZX".contains(fields[0])
          ? Optional.empty()
          : Optional.of(
              new Entry(
                  pid,
                  Long.parseLong(fields[1]),
                  Long.parseLong(fields[3]),
                  Long.parseLong(fields[19]),
                  fields[0].equalsIgnoreCase("t")));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private static boolean carries(long pid, String marker) {
    try {
      var environment = Files.readString(PROC.resolve(pid + "/environ"), ISO_8859_1);
      return ("\0" + environment + "\0").contains("\0" + marker + "\0");
    } catch (IOException goneOrForeign) {
      return false;
    }
  }
}
