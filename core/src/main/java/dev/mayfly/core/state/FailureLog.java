package dev.mayfly.core.state;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.port.Alarms;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes over what fails: one bad machine, job, document or cluster never stops the loop over the
 * others, whose work may be done side by side.
 */
public final class FailureLog {
  private final List<String> told = new ArrayList<>();
  private boolean failed;
  private final ReportedFailures log;
  private final Alarms alarms;
  private final InstantSource clock;

  /**
   * @param log of the process
   * @param alarms where a mistake of ours is thrown again, so that it is logged with its stack
   */
  public FailureLog(ReportedFailures log, Alarms alarms, InstantSource clock) {
    this.log = log;
    this.alarms = alarms;
    this.clock = clock;
  }

  public FailureLog(ReportedFailures log, Ports ports) {
    this(log, ports.alarms(), ports.clock());
  }

  /**
   * Runs {@code work}. Whatever it throws is noted, and the next round does the work again; only an
   * {@link Error} leaves, for then the process is in doubt.
   */
  public void guard(String place, Runnable work) {
    try {
      work.run();
    } catch (UnreadableDocumentException unknown) {
      unreadable(unknown.document());
    } catch (MayflyException e) {
      add(place, e.getMessage());
    } catch (RuntimeException mistake) {
      unexpected(place, mistake);
    }
  }

  /** Notes what nobody expected to be thrown; its stack is logged once an hour. */
  public void unexpected(String place, RuntimeException mistake) {
    add(place, "a mistake in Mayfly, its log has more: " + mistake);
    if (!log.isNew(place + mistake, clock.instant())) return;
    alarms.callAt(
        clock.instant(),
        () -> {
          throw new IllegalStateException(place + " failed", mistake);
        });
  }

  /** Notes a document that could not be read; a process says it once an hour. */
  public void unreadable(UnreadableDocument document) {
    if (log.isNew(document.toString(), clock.instant())) line(document.toString());
  }

  public void add(String place, String what) {
    line(place + ": " + what);
  }

  /** Notes news for people where nothing failed. Each pass repeats it. */
  public synchronized void note(String place, String what) {
    told.add(place + ": " + what);
  }

  private synchronized void line(String text) {
    failed = true;
    told.add(text);
  }

  /** Whether anything failed so far. */
  public synchronized boolean failed() {
    return failed;
  }

  public synchronized List<String> lines() {
    return List.copyOf(told);
  }
}
