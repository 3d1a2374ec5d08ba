package dev.mayfly.agent;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Formats the agent's own log: one line per event on standard error, {@code time level logger
 * message}. Escapes control characters, which a task could put into a message.
 */
final class AgentLogFormatter extends Formatter {

  /** Installs this format for the process's log. */
  static void install() {
    LogManager.getLogManager().reset();
    Logger.getLogger("").addHandler(console());
  }

  /** Prints a line even during JVM shutdown, when the logging framework may already be closed. */
  static void printNow(Level level, Class<?> speaker, String text) {
    var line = new LogRecord(level, text);
    line.setLoggerName(speaker.getName());
    console().publish(line);
  }

  private static ConsoleHandler console() {
    var handler = new ConsoleHandler();
    handler.setFormatter(new AgentLogFormatter());
    handler.setLevel(Level.ALL);
    return handler;
  }

  @Override
  public String format(LogRecord record) {
    var line =
        "%s %s %s %s"
            .formatted(
                record.getInstant(),
                level(record.getLevel()),
                shortName(String.valueOf(record.getLoggerName())),
                formatMessage(record) + trace(record));
    return escape(line) + "\n";
  }

  private static String level(Level level) {
    int value = level.intValue();
    if (value >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (value >= Level.WARNING.intValue()) {
      return "WARN";
    }
    return value >= Level.INFO.intValue() ? "INFO" : "DEBUG";
  }

  private static String shortName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }

  private static String trace(LogRecord record) {
    if (record.getThrown() == null) {
      return "";
    }
    var text = new StringWriter();
    record.getThrown().printStackTrace(new PrintWriter(text));
    return " " + text;
  }

  /** A line break or an escape in a message could forge another line. */
  private static String escape(String text) {
    var line = new StringBuilder(text.length());
    text.strip()
        .chars()
        .forEach(c -> {
          if (c == '\n') {
            line.append("\\n");
          } else if (Character.isISOControl(c) && c != '\t') {
            line.append("\\u%04x".formatted(c));
          } else {
            line.append((char) c);
          }
        });
    return line.toString();
  }
}
