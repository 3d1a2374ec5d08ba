package dev.mayfly.fuzz;

import dev.mayfly.agent.libc.OpenFolder;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A file that a task may replace at any time, as the agent opens it. Each byte of the input puts
 * something else in its place: no opening may wait for it or lead elsewhere.
 */
final class TaskFileTarget implements FuzzTarget {
  private static final int LONGEST = 12;
  private static final byte[] SECRET =
      "what no task may show".getBytes(java.nio.charset.StandardCharsets.UTF_8);

  @Override
  public String name() {
    return "taskfiles";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(new byte[] {0, 2, 0, 1, 3, 0}, new byte[] {1, 4, 2, 5, 0}, new byte[] {3, 3});
  }

  /** A pipe is made by a program. */
  @Override
  public Duration longest() {
    return Duration.ofSeconds(10);
  }

  @Override
  public boolean accepts(byte[] input) throws IOException {
    var root = Files.createTempDirectory("mayfly-fuzz-");
    try {
      var secret = Files.write(root.resolve("secret"), SECRET);
      var folder = Files.createDirectory(root.resolve("task"));
      var opened = false;
      for (var i = 0; i < Math.min(LONGEST, input.length); i++) {
        put(Byte.toUnsignedInt(input[i]) % 6, folder, secret);
        opened |= opens(folder);
      }
      return opened;
    } finally {
      TempFolders.delete(root);
    }
  }

  private static void put(int kind, Path folder, Path secret) throws IOException {
    var file = folder.resolve("metrics");
    Files.deleteIfExists(file);
    switch (kind) {
      case 0 -> Files.writeString(file, "{\"loss\": 1}\n");
      case 1 -> Files.createSymbolicLink(file, secret);
      case 2 -> pipe(file);
      case 3 -> Files.createDirectory(file);
      case 4 -> Files.createSymbolicLink(file, Path.of("/dev/zero"));
      default -> {}
    }
  }

  private static void pipe(Path file) throws IOException {
    try {
      if (new ProcessBuilder("mkfifo", file.toString()).start().waitFor() != 0)
        throw new IOException("mkfifo failed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static boolean opens(Path folder) throws IOException {
    try (var open = OpenFolder.at(folder)) {
      var first = reads(open.file(Path.of("metrics")));
      return reads(OpenFolder.fileAt(folder.resolve("metrics"))) && first;
    }
  }

  private static boolean reads(Optional<FileChannel> file) throws IOException {
    if (file.isEmpty()) return false;
    try (var channel = file.get()) {
      if (Arrays.equals(Channels.newInputStream(channel).readNBytes(1 << 10), SECRET))
        throw new IllegalStateException("a link was followed");
      return true;
    }
  }
}
