package dev.mayfly.local.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a second cloud away from the folder of the first; the system frees it when a process dies.
 */
public final class CloudFolderLock implements AutoCloseable {
  private final FileChannel channel;

  private CloudFolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws IOException when somebody holds it
   */
  public static CloudFolderLock take(Path folder) throws IOException {
    var channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return new CloudFolderLock(channel);
      }
    } catch (OverlappingFileLockException sameProcess) {
      // Held by this very process; told below like any other.
    }
    channel.close();
    throw new IOException(
        "Another simulated cloud runs on "
            + folder
            + "; stop it, or set MAYFLY_HOME to another folder");
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot give the folder's lock back", e);
    }
  }
}
