package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.port.ObjectInfo;
import java.nio.charset.StandardCharsets;

/**
 * {@code <output>/index.json} of a directory output: its files and their state when uploaded, and
 * the folders in which no file is, which a bucket cannot hold.
 */
final class DirectoryIndex {
  private final StringBuilder files = new StringBuilder();
  private final StringBuilder folders = new StringBuilder();
  private final TaskAttempt taskAttempt;

  DirectoryIndex(TaskAttempt taskAttempt) {
    this.taskAttempt = taskAttempt;
  }

  void add(String path, ObjectInfo info) {
    files
        .append(files.isEmpty() ? "\n" : ",\n")
        .append("{\"path\":\"" + escaped(path) + "\",\"generation\":\"" + info.generation())
        .append("\",\"size\":" + info.size() + ",\"crc32c\":\"" + info.crc32c() + "\"}");
  }

  void addFolder(String path) {
    folders.append(folders.isEmpty() ? "" : ",").append("\"" + escaped(path) + "\"");
  }

  byte[] json() {
    var text =
        "{\"job\":\"%s\",\"task\":%d,\"attempt\":\"%s\",\"files\":[%s]%s}\n"
            .formatted(
                escaped(taskAttempt.lease().job()),
                taskAttempt.index(),
                taskAttempt.name(),
                files,
                folders.isEmpty() ? "" : ",\"folders\":[" + folders + "]");
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String escaped(String text) {
    var out = new StringBuilder();
    for (var c : text.toCharArray()) {
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ') out.append("\\u%04x".formatted((int) c));
      else out.append(c);
    }
    return out.toString();
  }
}
