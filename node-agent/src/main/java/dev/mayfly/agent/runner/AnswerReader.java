package dev.mayfly.agent.runner;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what a runner answers, line by line, until its process has ended. */
final class AnswerReader implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerReader.class);
  private static final int CHUNK = 8 << 10;
  private static final int SHOWN = 80;

  /** The longest answer, in bytes. */
  static final int LONGEST = 64 << 10;

  /** Is told of what is read. All calls come from one thread. */
  interface Listener {
    /**
     * @param more whether it has already written more behind the line
     */
    void answered(String line, boolean more);

    /** The runner wrote {@link #LONGEST} bytes without an end of a line. */
    void answeredTooMuch();

    /** The process has ended, and all that it wrote was read. */
    void ended();
  }

  private final MarkedPipe pipe;
  private final Listener listener;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  AnswerReader(MarkedPipe pipe, Listener listener) {
    this.pipe = pipe;
    this.listener = listener;
  }

  @Override
  public void run() {
    try (pipe) {
      for (var bytes = pipe.next(CHUNK); bytes.length > 0; bytes = pipe.next(CHUNK))
        for (int i = 0; i < bytes.length; i++) add(bytes[i], i + 1 < bytes.length);
    } catch (IOException e) {
      LOG.warn("answers of a runner not read pipe={} reason={}", pipe.path(), e.toString());
    }
    listener.ended();
  }

  /** The beginning of a line, for people. */
  static String quoted(String line) {
    var shown = line.replaceAll("\\p{Cntrl}", "?");
    return "'" + (shown.length() > SHOWN ? shown.substring(0, SHOWN) + "…" : shown) + "'";
  }

  private void add(byte one, boolean more) {
    if (one == '\n') {
      var text = line.toString(UTF_8);
      line.reset();
      listener.answered(text, more);
      return;
    }
    line.write(one);
    if (line.size() < LONGEST) return;
    line.reset();
    listener.answeredTooMuch();
  }
}
