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

/** The live processes according to {@code /proc}. */
final class ProcessTable {
  private static final Path PROC = Path.of("/proc");

  /**
   * The variable of a person's processes in a machine, which {@code mayfly attach} starts in the
   * session of that person's terminal.
   */
  private static final String VISITOR = "MAYFLY_SESSION=yes";

  /** One process that is not a zombie. */
  record Entry(long pid, long parent, long session, long startTicks, boolean stopped) {}

  private ProcessTable() {}

  /**
   * The start time of a child in the kernel's clock ticks; 0 if it has ended. Ignores the marker,
   * because {@code environ} is empty while a new child executes its program.
   */
  static long startTicks(long child) {
    return read(child).map(Entry::startTicks).orElse(0L);
  }

  /** The process of a handle, if it is alive: a recycled id has another start time. */
  static Optional<Entry> find(VmHandle trace) {
    return read(trace.pid()).filter(entry -> entry.startTicks() == trace.startTicks());
  }

  /** The given processes that are alive. */
  static List<Entry> alive(Set<Long> processes) {
    return processes.stream().flatMap(pid -> read(pid).stream()).toList();
  }

  /** Whether the process is alive, with or without its marker. */
  static boolean isAlive(Entry process) {
    return read(process.pid()).filter(e -> e.startTicks() == process.startTicks()).isPresent();
  }

  /** The process, if it is alive and has {@code marker}. */
  static Optional<Entry> find(long pid, String marker) {
    return read(pid).filter(entry -> carries(pid, marker));
  }

  /**
   * Every process of a machine, in any session: processes with {@code marker}, the first process,
   * and all their descendants. Until a machine's first process starts its own session it is in this
   * process's session, which never counts as the machine's: killing that session would kill the
   * cloud and its terminal. The same is true of a visitor's session.
   *
   * @param first the first process if it still runs: it has no marker just after its start
   */
  static Set<Long> members(String marker, Optional<Entry> first) {
    var all = all();
    var foreign = new HashSet<Long>();
    read(ProcessHandle.current().pid()).map(Entry::session).ifPresent(foreign::add);
    var members = new HashSet<Long>();
    var sessions = new HashSet<Long>();
    first.map(Entry::pid).ifPresent(members::add);
    first.map(Entry::session).ifPresent(sessions::add);
    for (var entry : all) {
      if (carries(entry.pid(), marker)) {
        members.add(entry.pid());
        sessions.add(entry.session());
        if (carries(entry.pid(), VISITOR)) foreign.add(entry.session());
      }
    }
    sessions.removeAll(foreign);
    while (grow(all, members, sessions, foreign)) {
      // Each pass finds the children of the processes that the previous pass found.
    }
    return members;
  }

  /** The processes that are not stopped. */
  static Set<Long> moving(Set<Long> processes) {
    var moving = new HashSet<>(processes);
    moving.removeIf(pid -> read(pid).map(Entry::stopped).orElse(true));
    return moving;
  }

  private static boolean grow(
      List<Entry> all, Set<Long> members, Set<Long> sessions, Set<Long> foreign) {
    var grown = false;
    for (var entry : all) {
      var ours = sessions.contains(entry.session()) || members.contains(entry.parent());
      if (ours && members.add(entry.pid())) {
        if (!foreign.contains(entry.session())) sessions.add(entry.session());
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
      // The program's name is in parentheses and may contain any character, including spaces.
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
