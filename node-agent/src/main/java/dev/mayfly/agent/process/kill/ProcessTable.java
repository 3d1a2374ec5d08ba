package dev.mayfly.agent.process.kill;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the machine's processes. Omits processes that end meanwhile. */
public final class ProcessTable {
  private static final String NUMBERS = "NSpid:";

  private final Path proc;

  public ProcessTable() {
    this(Path.of("/proc"));
  }

  ProcessTable(Path proc) {
    this.proc = proc;
  }

  /**
   * @param started in clock ticks since boot; together with the pid it identifies a process
   */
  public record Entry(int pid, int parent, int session, char state, long started) {
    boolean zombie() {
      return state == 'Z' || state == 'X';
    }
  }

  public List<Entry> all() {
    var entries = new ArrayList<Entry>();
    try (var folders = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (var folder : folders) {
        entry(folder).ifPresent(entries::add);
      }
    } catch (IOException | DirectoryIteratorException e) {
      throw new IllegalStateException("cannot list processes in " + proc + ": " + e, e);
    }
    return entries;
  }

  Optional<Entry> find(int pid) {
    return entry(proc.resolve(Integer.toString(pid)));
  }

  /** A process's two markers; empty for another user's process and for a zombie. */
  Map<String, String> marks(int pid) {
    var marks = new HashMap<String, String>();
    read(proc.resolve(Integer.toString(pid)).resolve("environ"))
        .ifPresent(text -> {
          for (var name : List.of(TaskMarkers.ATTEMPT, TaskMarkers.TASK_OF)) {
            variable(text, name).ifPresent(value -> marks.put(name, value));
          }
        });
    return marks;
  }

  /**
   * A process's ids, from the agent's namespace to its own, where it may be 1; empty if it is gone
   * or the kernel does not show them.
   */
  List<Integer> numbers(int pid) {
    return read(proc.resolve(Integer.toString(pid)).resolve("status"))
        .flatMap(text -> text.lines().filter(line -> line.startsWith(NUMBERS)).findFirst())
        .map(line -> line.substring(NUMBERS.length()).strip().split("\\s+"))
        .map(words -> Stream.of(words).map(Integer::valueOf).toList())
        .orElse(List.of());
  }

  private static Optional<String> variable(String environ, String name) {
    var wanted = "\0" + name + "=";
    var text = "\0" + environ;
    int at = text.indexOf(wanted);
    if (at < 0) {
      return Optional.empty();
    }
    int from = at + wanted.length();
    int to = text.indexOf('\0', from);
    return Optional.of(text.substring(from, to < 0 ? text.length() : to));
  }

  private static Optional<Entry> entry(Path folder) {
    return read(folder.resolve("stat")).flatMap(text -> parse(folder, text));
  }

  /** The command's name is in brackets and may contain spaces and brackets. */
  private static Optional<Entry> parse(Path folder, String stat) {
    int end = stat.lastIndexOf(')');
    if (end < 0) {
      return Optional.empty();
    }
    var fields = stat.substring(end + 2).split(" ");
    return Optional.of(
        new Entry(
            Integer.parseInt(folder.getFileName().toString()),
            Integer.parseInt(fields[1]),
            Integer.parseInt(fields[3]),
            fields[0].charAt(0),
            Long.parseLong(fields[19])));
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
