package dev.mayfly.agent.logs;

import dev.mayfly.core.model.MetricsRow;
import java.util.List;

/** What an attempt's metrics were over time, as it is stored beside the log. Thread-safe. */
public interface StoredHistory {
  /** How many rows there ever were. */
  long added();

  /** Those that are kept. */
  List<MetricsRow> rows();
}
