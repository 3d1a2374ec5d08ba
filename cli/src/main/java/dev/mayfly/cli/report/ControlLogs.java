package dev.mayfly.cli.report;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The ends of what the laptop cloud's own processes have logged, by the names of their files. */
final class ControlLogs {
  private static final int MOST = 20;
  private static final int LAST_BYTES = 64 << 10;

  private ControlLogs() {}

  /** Empty where no laptop cloud ever ran. */
  static Map<String, String> of(Path home) {
    var ends = new TreeMap<String, String>();
    var folder = home.resolve("logs");
    if (!Files.isDirectory(folder)) return ends;
    try (var files = Files.newDirectoryStream(folder, "*.log")) {
      for (var file : files)
        if (ends.size() < MOST && Files.isRegularFile(file))
          ends.put("control-plane/" + file.getFileName(), end(file));
    } catch (IOException unread) {
      ends.put("control-plane/unread.txt", unread + "\n");
    }
    return ends;
  }

  private static String end(Path log) throws IOException {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      var from = Math.max(0, file.length() - LAST_BYTES);
      file.seek(from);
      var bytes = new byte[(int) (file.length() - from)];
      file.readFully(bytes);
      var text = new String(bytes, StandardCharsets.UTF_8);
      return from == 0
          ? text
          : "(the last %,d bytes of %,d)\n".formatted(bytes.length, file.length()) + text;
    }
  }
}
