package dev.mayfly.core.control;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.port.Alarms;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes over what fails: one bad machine, job, document or cluster never stops the loop over the
 * others, whose work may be done side by side.
 */
final class Troubles {
  private final List<String> told = new ArrayList<>();
  private boolean failed;
  private final TroubleLog log;
  private final Alarms alarms;
  private final InstantSource clock;

  /**
   * @param log of the process
   * @param alarms where a mistake of ours is thrown again, so that it is logged with its stack
   */
  Troubles(TroubleLog log, Alarms alarms, InstantSource clock) {
    this.log = log;
    this.alarms = alarms;
    this.clock = clock;
  }

  Troubles(TroubleLog log, Ports ports) {
    this(log, ports.alarms(), ports.clock());
  }

  /**
   * Runs {@code work}. Whatever it throws is noted, and the next round does the work again; only an
   * {@link Error} leaves, for then the process is in doubt.
   */
  void guard(String place, Runnable work) {
    try {
      work.run();
    } catch (Unreadable unknown) {
      unreadable(unknown.document());
    } catch (MayflyException e) {
      add(place, e.getMessage());
    } catch (RuntimeException mistake) {
      mistake(place, mistake);
    }
  }

  /** Notes what nobody expected to be thrown; its stack is logged once an hour. */
  void mistake(String place, RuntimeException mistake) {
    add(place, "a mistake in Mayfly, its log has more: " + mistake);
    if (!log.isNew(place + mistake, clock.instant())) return;
    alarms.at(
        clock.instant(),
        () -> {
          throw new IllegalStateException(place + " failed", mistake);
        });
  }

  /** Notes a document that could not be read; a process says it once an hour. */
  void unreadable(UnreadableDocument document) {
    if (log.isNew(document.toString(), clock.instant())) line(document.toString());
  }

  void add(String place, String what) {
    line(place + ": " + what);
  }

  /** Notes news for people where nothing failed. Each pass repeats it. */
  synchronized void remark(String place, String what) {
    told.add(place + ": " + what);
  }

  private synchronized void line(String text) {
    failed = true;
    told.add(text);
  }

  /** Whether anything failed so far. */
  synchronized boolean failed() {
    return failed;
  }

  synchronized List<String> told() {
    return List.copyOf(told);
  }
}
