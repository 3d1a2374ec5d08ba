package dev.mayfly.agent.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Waits for processes that are not children of the tests' own. */
public final class ProcessAwait {
  private ProcessAwait() {}

  /**
   * Whether the process ended within a minute. One that nobody has reaped yet has ended too: Java's
   * own {@code onExit} would wait until its number is free.
   */
  public static boolean gone(long pid) throws Exception {
    var calls = new ProcessCalls();
    var descriptor = calls.pidfd((int) pid);
    if (descriptor < 0) return true;
    var epoll = calls.epoll();
    try {
      if (calls.watch(epoll, descriptor, 1) < 0) return false;
      return CompletableFuture.supplyAsync(() -> awaited(calls, epoll)).get(60, TimeUnit.SECONDS);
    } finally {
      calls.close(epoll);
      calls.close(descriptor);
    }
  }

  private static boolean awaited(ProcessCalls calls, int epoll) {
    int events;
    do events = calls.await(epoll, new int[1]);
    while (events == -ProcessCalls.EINTR);
    return events > 0;
  }
}
