package dev.mayfly.cli.output;

import dev.mayfly.core.model.document.EventRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Formats event records as a table. */
public final class EventLines {
  private EventLines() {}

  /** One event with its time in UTC, for a list that grows. */
  public static String line(EventRecord event) {
    return "%s  %s  %s  %s"
        .formatted(
            event.at().truncatedTo(ChronoUnit.SECONDS),
            PrintableText.line(event.what()),
            PrintableText.line(event.about()),
            PrintableText.line(event.why()));
  }

  public static Table table(List<EventRecord> eventRecords, Instant now) {
    var table = new Table("AGO", "TIME", "WHAT", "ABOUT", "WHY").right(0).names(3).remarks();
    for (var e : eventRecords)
      table.row(
          TableCell.of(HumanFormat.age(e.at(), now)),
          TableCell.of(HumanFormat.clock(e.at(), now)),
          TableCell.of(e.what()),
          TableCell.of(e.about()),
          TableCell.of(e.why()));
    return table;
  }
}
