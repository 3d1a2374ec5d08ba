package dev.mayfly.core.state;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.port.ScheduledExecutor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects failures of a pass: one bad machine, job, document or cluster never stops the loop over
 * the others. Thread-safe.
 */
public final class FailureLog {
  private final List<String> lines = new ArrayList<>();
  private boolean failed;
  private final ReportedFailures log;
  private final ScheduledExecutor executor;
  private final InstantSource clock;

  /**
   * @param log of the process
   * @param executor where an unexpected exception is rethrown, so that it is logged with its stack
   */
  public FailureLog(ReportedFailures log, ScheduledExecutor executor, InstantSource clock) {
    this.log = log;
    this.executor = executor;
    this.clock = clock;
  }

  public FailureLog(ReportedFailures log, Context context) {
    this(log, context.executor(), context.clock());
  }

  /**
   * Runs {@code work}. An exception is recorded and the next pass repeats the work; only an {@link
   * Error} propagates, because the process is then in doubt.
   */
  public void guard(String place, Runnable work) {
    try {
      work.run();
    } catch (UnreadableDocumentException unknown) {
      unreadable(unknown.document());
    } catch (MayflyException e) {
      add(place, e.getMessage());
    } catch (RuntimeException bug) {
      unexpected(place, bug);
    }
  }

  /** Records an unexpected exception; its stack is logged once an hour. */
  public void unexpected(String place, RuntimeException bug) {
    add(place, "a bug in Mayfly (details in its log): " + bug);
    if (!log.isNew(place + bug, clock.instant())) return;
    executor.callAt(
        clock.instant(),
        () -> {
          throw new IllegalStateException(place + " failed", bug);
        });
  }

  /** Records an unreadable document; a process reports it once an hour. */
  public void unreadable(UnreadableDocument document) {
    if (log.isNew(document.toString(), clock.instant())) line(document.toString());
  }

  public void add(String place, String what) {
    line(place + ": " + what);
  }

  /** Records a note for people without a failure. Each pass repeats it. */
  public synchronized void note(String place, String what) {
    lines.add(place + ": " + what);
  }

  private synchronized void line(String text) {
    failed = true;
    lines.add(text);
  }

  public synchronized boolean failed() {
    return failed;
  }

  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }
}
