package dev.mayfly.core.model.document;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * {@code …/usage/{id}}: what the time of a cluster's machines went to, and what it cost. A day's
 * document has all machines that have ended since, added up; one of an ended machine waits to be
 * added to its days.
 *
 * @param id the day and a number of its document, {@code 2026-11-27.0}; or {@code ended.}, a worker
 *     and when it ended
 */
public record Usage(String cluster, String id, List<Row> rows) implements LedgerDocument {
  /** What the ids of ended machines begin with; all days come before it. */
  public static final String ENDED = "ended.";

  /** A document of about 200 kB; further rows go into the day's next one. */
  public static final int MOST_ROWS = 1_000;

  public Usage {
    rows = List.copyOf(rows);
  }

  /**
   * Machines of a kind, for one purpose, on a day.
   *
   * @param day in UTC
   * @param job uid of the job; empty for what is no job's
   * @param millis of whole machines
   * @param usd empty if the price is not known
   */
  public record Row(
      LocalDate day,
      String pool,
      String zone,
      String machineType,
      Provisioning provisioning,
      Purpose purpose,
      Optional<String> job,
      long millis,
      Optional<Double> usd) {

    private Row without() {
      return new Row(
          day, pool, zone, machineType, provisioning, purpose, job, 0, usd.map(_ -> 0.0));
    }

    private Row plus(Row other) {
      return new Row(
          day,
          pool,
          zone,
          machineType,
          provisioning,
          purpose,
          job,
          millis + other.millis,
          usd.map(it -> it + other.usd.orElse(0.0)));
    }
  }

  /**
   * {@code …/months/{id}}: what a month's documents add up to, written in the commits that change
   * them, so that a limit by the month takes one read.
   *
   * @param id the month in UTC, {@code 2026-11}
   * @param usd of the machines whose price is known
   */
  public record Month(String cluster, String id, double usd) implements LedgerDocument {
    /** The id of the month that the day is in. */
    public static String id(LocalDate day) {
      return YearMonth.from(day).toString();
    }

    /** The same with what the rows say of it. */
    public Month plus(Collection<Row> rows) {
      return new Month(cluster, id, usd + usd(id, rows));
    }

    /** What the rows say of a month. */
    public static double usd(String id, Collection<Row> rows) {
      return rows.stream()
          .filter(row -> id(row.day()).equals(id))
          .mapToDouble(row -> row.usd().orElse(0.0))
          .sum();
    }

    @Override
    public DocumentKey.OfUsageMonth key() {
      return new DocumentKey.OfUsageMonth(cluster, id);
    }
  }

  /** What a worker's document has counted. */
  public static List<Row> rows(Worker worker) {
    return worker.usage().map(usage -> rows(worker, usage)).orElse(List.of());
  }

  private static List<Row> rows(Worker worker, MachineUsage usage) {
    return usage.entries().stream()
        .map(entry ->
            new Row(
                entry.day(),
                worker.pool(),
                worker.zone(),
                worker.machineType(),
                worker.provisioning(),
                entry.purpose(),
                entry.job(),
                entry.millis(),
                usage.usdPerHour().map(price -> price * entry.millis() / 3_600_000)))
        .toList();
  }

  /** What a worker has counted until now, waiting to be added to its days. */
  public static Usage of(Worker worker, Instant now) {
    var id = ENDED + worker.name() + "." + now.toEpochMilli();
    return new Usage(worker.cluster(), id, rows(worker));
  }

  /** The id of a day's document. */
  public static String id(LocalDate day, int number) {
    return day + "." + number;
  }

  /** The number of a day's document. */
  public int number() {
    return Integer.parseInt(id.substring(id.lastIndexOf('.') + 1));
  }

  public boolean isEnded() {
    return id.startsWith(ENDED);
  }

  /** The rows with those added that are like them, and the others after them. */
  public static List<Row> sum(List<Row> rows) {
    var sums = new LinkedHashMap<Row, Row>();
    for (var row : rows) sums.merge(row.without(), row, Row::plus);
    return new ArrayList<>(sums.values());
  }

  @Override
  public DocumentKey.OfUsage key() {
    return new DocumentKey.OfUsage(cluster, id);
  }
}
