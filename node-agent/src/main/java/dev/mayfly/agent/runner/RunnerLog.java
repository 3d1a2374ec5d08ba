package dev.mayfly.agent.runner;

import dev.mayfly.agent.logs.LogFile;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what a runner prints into the log of the task that it has. What it prints while it has
 * none waits in the pipe, and is in the log of the next.
 */
final class RunnerLog implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerLog.class);
  private static final int MOST = 64 << 10;

  private final MarkedPipe pipe;
  private Optional<LogFile> log = Optional.empty();
  private long marks;
  private long seen;
  private boolean over;

  RunnerLog(MarkedPipe pipe) {
    this.pipe = pipe;
  }

  /** From now on it is this task's. */
  synchronized void begin(LogFile target) {
    log = Optional.of(target);
    notifyAll();
  }

  /**
   * Returns when all that was printed until now is in the log; from then on it is no task's. A
   * repeat does nothing.
   */
  void end() throws InterruptedException {
    synchronized (this) {
      if (log.isEmpty() || over) return;
      marks++;
    }
    mark();
    synchronized (this) {
      while (seen < marks && !over) wait();
      log = Optional.empty();
    }
  }

  /** Nothing is printed any more: what is left is dropped, and the thread ends. */
  void close() {
    synchronized (this) {
      if (over) return;
      over = true;
      notifyAll();
    }
    mark();
  }

  private void mark() {
    try {
      pipe.mark();
    } catch (IOException e) {
      LOG.warn("log of a runner not ended pipe={} reason={}", pipe.path(), e.toString());
    }
  }

  @Override
  public void run() {
    try (pipe) {
      while (true) {
        var bytes = pipe.next(MOST);
        if (bytes.length == 0) {
          if (markSeen()) return;
        } else copy(bytes);
      }
    } catch (IOException e) {
      LOG.warn("what a runner prints is lost pipe={} reason={}", pipe.path(), e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether that was the last mark. */
  private synchronized boolean markSeen() {
    seen++;
    notifyAll();
    return over && seen > marks;
  }

  private synchronized void copy(byte[] bytes) throws InterruptedException {
    while (log.isEmpty() && !over) wait();
    if (log.isEmpty()) return;
    try {
      log.get().append(bytes);
    } catch (IOException fullDisk) {
      // A command that cannot write its log goes on too.
      LOG.debug("not logged pipe={} reason={}", pipe.path(), fullDisk.toString());
    }
  }
}
