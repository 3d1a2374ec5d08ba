package dev.mayfly.local.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Locks a cloud's folder against a second cloud; the system releases the lock when the process
 * dies.
 */
public final class CloudFolderLock implements AutoCloseable {
  private final FileChannel channel;

  private CloudFolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws IOException when another cloud holds it
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
      // Held by this process; reported below like any other holder.
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
      throw new UncheckedIOException("Cannot release the folder's lock", e);
    }
  }
}
