package dev.mayfly.cli.output;

import dev.mayfly.core.model.document.EventRecord;
import java.time.Instant;
import java.util.List;

/** Formats event records as a table. */
public final class EventLines {
  private EventLines() {}

  public static Table table(List<EventRecord> eventRecords, Instant now) {
    var table = new Table("AGO", "WHAT", "ABOUT", "WHY").right(0).names(2).remarks();
    for (var e : eventRecords)
      table.row(
          TableCell.of(HumanFormat.age(e.at(), now)),
          TableCell.of(e.what()),
          TableCell.of(e.about()),
          TableCell.of(e.why()));
    return table;
  }
}
