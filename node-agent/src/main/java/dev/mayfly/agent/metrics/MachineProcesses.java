package dev.mayfly.agent.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The machine's processes at one moment, with what they use; read when it is first asked for. */
public final class MachineProcesses {
  /** In the kernel's files a second has this many ticks, whatever the kernel's own clock does. */
  private static final double TICKS = 100;

  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int FIRST_TIME = 11;
  private static final int TIMES = 4;
  private static final long KIB = 1024;

  private final Path proc;
  private Optional<Map<Long, Entry>> entries = Optional.empty();

  /**
   * @param proc the kernel's folder of processes
   */
  public MachineProcesses(Path proc) {
    this.proc = proc;
  }

  /** What a process and all that it began use. */
  record Use(double cpuSeconds, long memory) {}

  /** What a process and all that it began hold of memory, in bytes; 0 if it has ended. */
  public long memoryOfTree(long first) {
    return ofTree(first).map(Use::memory).orElse(0L);
  }

  private record Entry(long pid, long parent, long session, double cpuSeconds) {}

  /** Empty if the process has ended. */
  Optional<Use> ofTree(long first) {
    var all = all();
    if (!all.containsKey(first)) return Optional.empty();
    var tree = new HashSet<Long>(List.of(first));
    all.values().stream().filter(e -> e.session == first).forEach(e -> tree.add(e.pid));
    var children = new HashMap<Long, List<Long>>();
    all.values()
        .forEach(e -> children.computeIfAbsent(e.parent, _ -> new ArrayList<>()).add(e.pid));
    var next = new ArrayList<>(tree);
    while (!next.isEmpty())
      for (var child : children.getOrDefault(next.removeLast(), List.of()))
        if (tree.add(child)) next.add(child);
    var seconds =
        all.values().stream()
            .filter(e -> tree.contains(e.pid))
            .mapToDouble(Entry::cpuSeconds)
            .sum();
    return Optional.of(new Use(seconds, tree.stream().mapToLong(this::memory).sum()));
  }

  private synchronized Map<Long, Entry> all() {
    if (entries.isPresent()) return entries.get();
    var found = new HashMap<Long, Entry>();
    try (var folders = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (var folder : folders)
        read(folder.resolve("stat")).ifPresent(text -> parse(folder, text, found));
    } catch (IOException | DirectoryIteratorException unreadable) {
      found.clear();
    }
    entries = Optional.of(found);
    return found;
  }

  /** The command's name is in brackets and may have spaces and brackets. */
  private static void parse(Path folder, String stat, Map<Long, Entry> found) {
    var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    if (fields.length < FIRST_TIME + TIMES) return;
    var pid = Long.parseLong(folder.getFileName().toString());
    // Its own and those of its children that ended.
    long ticks = 0;
    for (var i = 0; i < TIMES; i++) ticks += Long.parseLong(fields[FIRST_TIME + i]);
    found.put(
        pid,
        new Entry(
            pid, Long.parseLong(fields[PARENT]), Long.parseLong(fields[SESSION]), ticks / TICKS));
  }

  /** Without the pages of files, which the kernel may take back. */
  private long memory(long pid) {
    return read(proc.resolve(Long.toString(pid)).resolve("status")).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
        .map(line -> line.split("\\s+"))
        .mapToLong(words -> Long.parseLong(words[1]) * KIB)
        .sum();
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }
}
