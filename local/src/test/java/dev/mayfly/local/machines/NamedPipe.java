package dev.mayfly.local.machines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * A named pipe: a test's way to wait until a process says something, or until all who could are
 * dead.
 */
public record NamedPipe(Path path) {
  public static NamedPipe make(Path path) throws IOException, InterruptedException {
    var exit = new ProcessBuilder("mkfifo", path.toString()).start().waitFor();
    if (exit != 0) {
      throw new IOException("mkfifo " + path + " ended with " + exit);
    }
    return new NamedPipe(path);
  }

  /** Waits for a writer, and takes all that it writes, until no process has the pipe open. */
  public String take() throws IOException {
    return Files.readString(path).strip();
  }

  /** Ends when there were writers, and all of them are dead. */
  public CompletableFuture<String> untilClosed() {
    var closed = new CompletableFuture<String>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            closed.complete(take());
          } catch (IOException e) {
            closed.completeExceptionally(new UncheckedIOException(e));
          }
        });
    return closed;
  }
}
