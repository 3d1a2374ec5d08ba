package dev.mayfly.agent.libc;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Writes small files where a task may have put something else: what is there is replaced, and never
 * opened, so that no link is followed and no pipe is waited for.
 */
public final class NewFile {
  private NewFile() {}

  /** Makes the file, for its owner alone, in place of what has its name. */
  public static void make(Path file, byte[] content) throws IOException {
    make(file, content, "rw-------");
  }

  private static void make(Path file, byte[] content, String permissions) throws IOException {
    Files.deleteIfExists(file);
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    try (var channel = Files.newByteChannel(file, Set.of(CREATE_NEW, WRITE), mode)) {
      var rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) channel.write(rest);
    }
  }

  /** As {@link #make}, readable by all, in one step: whoever reads the file sees all of it. */
  public static void replace(Path file, byte[] content) throws IOException {
    var half = file.resolveSibling("." + file.getFileName() + ".half");
    make(half, content, "rw-r--r--");
    Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
