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
import java.util.Set;

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
    var tree = tree(all, first);
    var seconds = tree.stream().map(all::get).mapToDouble(Entry::cpuSeconds).sum();
    return Optional.of(new Use(seconds, tree.stream().mapToLong(this::memory).sum()));
  }

  /**
   * The processor time until now of a process and of all that it had begun at that moment. What it
   * has begun since does not count.
   */
  double cpuSecondsNow(long first) {
    var now = new HashMap<Long, Entry>();
    for (var pid : tree(all(), first)) read(pid, now);
    return now.values().stream().mapToDouble(Entry::cpuSeconds).sum();
  }

  private static Set<Long> tree(Map<Long, Entry> all, long first) {
    var tree = new HashSet<Long>(List.of(first));
    all.values().stream().filter(e -> e.session == first).forEach(e -> tree.add(e.pid));
    var children = new HashMap<Long, List<Long>>();
    all.values()
        .forEach(e -> children.computeIfAbsent(e.parent, _ -> new ArrayList<>()).add(e.pid));
    var next = new ArrayList<>(tree);
    while (!next.isEmpty())
      for (var child : children.getOrDefault(next.removeLast(), List.of()))
        if (tree.add(child)) next.add(child);
    return tree;
  }

  private synchronized Map<Long, Entry> all() {
    if (entries.isPresent()) return entries.get();
    var found = new HashMap<Long, Entry>();
    try (var folders = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (var folder : folders) read(Long.parseLong(folder.getFileName().toString()), found);
    } catch (IOException | DirectoryIteratorException unreadable) {
      found.clear();
    }
    entries = Optional.of(found);
    return found;
  }

  private void read(long pid, Map<Long, Entry> found) {
    read(proc.resolve(Long.toString(pid)).resolve("stat"))
        .ifPresent(stat -> parse(pid, stat, found));
  }

  /** The command's name is in brackets and may have spaces and brackets. */
  private static void parse(long pid, String stat, Map<Long, Entry> found) {
    var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    if (fields.length < FIRST_TIME + TIMES) return;
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
