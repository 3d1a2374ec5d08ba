package dev.mayfly.cli.show;

import dev.mayfly.core.model.Event;
import java.time.Instant;
import java.util.List;

/** What happened, as lines. */
public final class EventLines {
  private EventLines() {}

  public static Table table(List<Event> events, Instant now) {
    var table = new Table("AGO", "WHAT", "ABOUT", "WHY").right(0).names(2).remarks();
    for (var e : events)
      table.row(
          Cell.of(Words.age(e.at(), now)), Cell.of(e.what()), Cell.of(e.about()), Cell.of(e.why()));
    return table;
  }
}
