package dev.mayfly.cli.logs;

import dev.mayfly.core.port.ObjectInfo;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/** A part of a log: one object, created once. It may begin and end inside a line. */
record LogPiece(LogSource from, int number, ObjectInfo object) {
  private static final Pattern NAME =
      Pattern.compile(".*/logs/(\\d{8})/([^/]+?)(?:-rank(\\d+))?/(\\d+)\\.log");

  static final Comparator<LogPiece> ORDER =
      Comparator.comparing(LogPiece::from, LogSource.ORDER).thenComparingInt(LogPiece::number);

  /** Empty for an object that is no piece of a log. */
  static Optional<LogPiece> of(ObjectInfo object) {
    var name = NAME.matcher(object.url().name());
    if (!name.matches()) return Optional.empty();
    var rank = name.group(3) == null ? 0 : Integer.parseInt(name.group(3));
    var from = new LogSource(Long.parseLong(name.group(1)), name.group(2), rank);
    return Optional.of(new LogPiece(from, Integer.parseInt(name.group(4)), object));
  }

  String name() {
    return object.url().name();
  }
}
