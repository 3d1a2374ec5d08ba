package dev.mayfly.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a process's log says since it was started: what earlier processes wrote is no reason of this
 * one.
 *
 * @param from the log's length at the start
 */
record StartLog(Path file, long from) {
  private static final String CANNOT_START = " cannot start: ";
  private static final Pattern WARNING = Pattern.compile("\\S+ WARNING \\S+ (.*)");
  private static final int MOST_BYTES = 1 << 20;

  static StartLog now(Path file) throws IOException {
    return new StartLog(file, Files.exists(file) ? Files.size(file) : 0);
  }

  /**
   * Why the process did not come up: what it says itself, or else the first line that is no part of
   * a stack trace.
   */
  String reason(Process process) throws IOException {
    var lines = lines();
    var said =
        lines.stream()
            .filter(line -> line.contains(CANNOT_START))
            .reduce((_, last) -> last)
            .map(line -> line.substring(line.indexOf(CANNOT_START) + CANNOT_START.length()));
    var thrown = lines.stream().filter(line -> line.startsWith("Exception in thread")).findFirst();
    return said.or(() -> thrown)
        .or(() -> lines.stream().filter(StartLog::isOwn).reduce((_, last) -> last))
        .orElseGet(() -> silence(process));
  }

  private static boolean isOwn(String line) {
    return !line.isBlank() && !line.stripLeading().startsWith("at ");
  }

  private static String silence(Process process) {
    return process.isAlive()
        ? "it runs and does not answer"
        : "it ended with exit code %d and wrote nothing, perhaps because its disk is full"
            .formatted(process.exitValue());
  }

  /** What it warned of. */
  List<String> warnings() throws IOException {
    return lines().stream()
        .map(WARNING::matcher)
        .filter(java.util.regex.Matcher::matches)
        .map(line -> line.group(1))
        .toList();
  }

  private List<String> lines() throws IOException {
    if (!Files.exists(file)) return List.of();
    try (var log = new RandomAccessFile(file.toFile(), "r")) {
      var length = Math.max(0, log.length() - from);
      var bytes = new byte[(int) Math.min(length, MOST_BYTES)];
      log.seek(from + length - bytes.length);
      log.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }
  }
}
