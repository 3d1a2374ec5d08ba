package dev.mayfly.cli.output;

import dev.mayfly.core.query.JobStatus;
import java.text.DecimalFormat;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar that is redrawn in place. */
final class BarProgress implements ProgressDisplay {
  private static final int MAX_NAME = 24;
  private static final int REFRESH_MILLIS = 250;

  private final Paper paper;
  private final ProgressBar bar;
  private String end = "";

  BarProgress(Screen screen) {
    paper = new Paper(screen);
    bar =
        new ProgressBarBuilder()
            .setInitialMax(-1)
            .setUpdateIntervalMillis(REFRESH_MILLIS)
            .setStyle(
                screen.colour() ? ProgressBarStyle.COLORFUL_UNICODE_BLOCK : ProgressBarStyle.ASCII)
            .setConsumer(paper)
            .continuousUpdate()
            // The bar divides what is left by the speed; an estimate that is a spread replaces it.
            .hideEta()
            .showSpeed(new DecimalFormat("0.0"))
            .build();
  }

  @Override
  public boolean showsEnd() {
    return true;
  }

  @Override
  public void end(String words) {
    end = words;
  }

  @Override
  public void show(JobStatus job) {
    if (job.isListed()) bar.maxHint(Math.max(1, job.tasks()));
    bar.stepTo(job.totals().done() + job.totals().failed() + job.totals().stopped().orElse(0L));
    var rest = ProgressDisplay.summary(job, end);
    var state = JobLines.state(job);
    bar.setExtraMessage(" " + (state.equals("running") ? "" : state + " ") + rest);
    paper.name(job.name());
  }

  @Override
  public void say(String line) {
    paper.above(line);
  }

  @Override
  public void close() {
    bar.close();
  }

  /** The last line of the terminal. The bar's own thread draws here too. */
  private static final class Paper implements ProgressBarConsumer {
    private final Screen screen;
    private String name = "";
    private String drawn = "";

    Paper(Screen screen) {
      this.screen = screen;
    }

    synchronized void name(String title) {
      var job = PrintableText.line(title);
      name = job.length() > MAX_NAME ? job.substring(0, MAX_NAME - 1) + "…" : job;
    }

    synchronized void above(String line) {
      screen.out().print("\r\u001b[K");
      screen.out().println(screen.printable(line));
      screen.out().print(drawn);
      screen.out().flush();
    }

    @Override
    public synchronized int getMaxRenderedLength() {
      return Math.max(20, screen.width() - name.length() - 2);
    }

    @Override
    public synchronized void accept(String text) {
      drawn = "\r" + name + " " + text + "\u001b[K";
      screen.out().print(drawn);
      screen.out().flush();
    }

    @Override
    public synchronized void close() {
      screen.out().println();
      screen.out().flush();
    }
  }
}
