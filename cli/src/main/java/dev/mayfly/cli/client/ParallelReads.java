package dev.mayfly.cli.client;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads that are begun at once, so that none waits for the answer of another. Closing it gives up
 * those whose results nobody has waited for.
 */
public final class ParallelReads implements AutoCloseable {
  private static final int READERS = 16;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(READERS, Thread.ofVirtual().factory());

  /** A read that was begun. */
  public record Begun<T>(Future<T> future) implements Supplier<T> {
    /** Waits for the result; throws what the read has thrown. */
    @Override
    public T get() {
      try {
        return future.get();
      } catch (ExecutionException failed) {
        throw thrown(failed.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted while waiting for an answer");
      }
    }

    private static RuntimeException thrown(@Nullable Throwable cause) {
      if (cause instanceof Error error) throw error;
      return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }
  }

  public <T> Begun<T> begin(Supplier<T> read) {
    return new Begun<>(threads.submit(read::get));
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
