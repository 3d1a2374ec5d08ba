package dev.mayfly.functions.os;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.wire.Wire;
import dev.mayfly.wire.text.SingleLineText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Formats a process's log: one line per event on standard error. On Cloud Run it is a JSON object,
 * which Cloud Logging reads; elsewhere {@code time level logger message}.
 */
public final class LogFormatter extends Formatter {
  /** Set by Cloud Run. */
  private static final String ON_CLOUD_RUN = "K_SERVICE";

  private final boolean json;

  LogFormatter(boolean json) {
    this.json = json;
  }

  /** Fields as Cloud Logging names them. */
  record Entry(String severity, Instant time, String logger, String message) {}

  /** Installs this format for the process's log, replacing any library's. */
  public static void install() {
    LogManager.getLogManager().reset();
    var handler = new ConsoleHandler();
    handler.setFormatter(new LogFormatter(System.getenv(ON_CLOUD_RUN) != null));
    handler.setLevel(Level.ALL);
    Logger.getLogger("").addHandler(handler);
  }

  @Override
  public String format(LogRecord record) {
    var severity = severity(record.getLevel());
    var logger = String.valueOf(record.getLoggerName());
    var message = formatMessage(record) + trace(record);
    if (json) {
      var entry = new Entry(severity, record.getInstant(), logger, message);
      return SingleLineText.escaped(new String(Wire.shared().json(entry), UTF_8)) + "\n";
    }
    var name = logger.substring(logger.lastIndexOf('.') + 1);
    var line = "%s %s %s %s".formatted(record.getInstant(), severity, name, message);
    return SingleLineText.escaped(line.strip()) + "\n";
  }

  private static String severity(Level level) {
    int value = level.intValue();
    if (value >= Level.SEVERE.intValue()) return "ERROR";
    if (value >= Level.WARNING.intValue()) return "WARNING";
    return value >= Level.INFO.intValue() ? "INFO" : "DEBUG";
  }

  private static String trace(LogRecord record) {
    if (record.getThrown() == null) return "";
    var text = new StringWriter();
    record.getThrown().printStackTrace(new PrintWriter(text));
    return "\n" + text;
  }
}
