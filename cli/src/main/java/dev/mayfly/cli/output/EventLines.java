package dev.mayfly.cli.output;

import dev.mayfly.core.model.document.EventRecord;
import java.time.Instant;
import java.util.List;

/** Formats event records as a table. */
public final class EventLines {
  private static final int HANGING = 4;
  private static final Column AGO = Column.number("AGO");
  private static final Column TIME = Column.word("TIME");
  private static final Column WHAT = Column.word("WHAT");

  private EventLines() {}

  /** One event, for a list that grows and may be kept: with its date. */
  public static List<String> lines(EventRecord event, Screen screen) {
    var begin =
        "%s  %s  %s"
            .formatted(
                screen.stamp(event.at()),
                PrintableText.line(event.what()),
                PrintableText.line(event.about()));
    return WrappedText.hanging(
        begin + "  " + PrintableText.line(event.why()), screen.width(), HANGING);
  }

  /** A line each. */
  public static Table table(List<EventRecord> eventRecords, Instant now, Screen screen) {
    var table =
        new Table(
            List.of(
                AGO.leaves(1),
                TIME,
                WHAT,
                Column.name("ABOUT").least(16),
                Column.remark("WHY").least(34)));
    for (var e : eventRecords)
      table.row(ago(e, now), time(e, now, screen), TableCell.of(e.what()), about(e), why(e));
    return table;
  }

  /** Those of one thing, with all that they say, on as many lines as that takes. */
  static Table ofOne(List<EventRecord> eventRecords, Instant now, Screen screen) {
    var table = new Table(List.of(AGO, TIME, WHAT, Column.prose("WHY")));
    for (var e : eventRecords)
      table.row(ago(e, now), time(e, now, screen), TableCell.of(e.what()), why(e));
    return table;
  }

  private static TableCell ago(EventRecord event, Instant now) {
    return TableCell.of(HumanFormat.age(event.at(), now));
  }

  private static TableCell time(EventRecord event, Instant now, Screen screen) {
    return TableCell.of(screen.moment(event.at(), now));
  }

  private static TableCell about(EventRecord event) {
    return TableCell.of(event.about());
  }

  private static TableCell why(EventRecord event) {
    return TableCell.of(event.why());
  }
}
