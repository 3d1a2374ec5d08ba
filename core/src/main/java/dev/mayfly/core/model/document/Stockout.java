package dev.mayfly.core.model.document;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code stockouts/{zone+type}}: when the cloud last refused, newest last, 20 at most.
 *
 * @param code the cloud's own word for it
 * @param said the cloud's own sentence of the last time; absent if it said none
 * @param lives how the newest machines of a type ended there, oldest first; absent in what
 *     remembers refusals
 */
public record Stockout(
    String zone,
    String machineType,
    String code,
    List<Instant> seen,
    Optional<String> said,
    Optional<List<Life>> lives)
    implements LedgerDocument {
  public Stockout {
    seen = List.copyOf(seen);
    lives = lives.map(List::copyOf);
  }

  /** What remembers refusals. */
  public Stockout(
      String zone, String machineType, String code, List<Instant> seen, Optional<String> said) {
    this(zone, machineType, code, seen, said, Optional.empty());
  }

  /**
   * What a machine did that has ended.
   *
   * @param taken whether the cloud took it back, or it was lost
   * @param work of the jobs that had most of it
   */
  public record Life(Instant ended, boolean taken, List<Work> work) {
    public Life {
      work = List.copyOf(work);
    }
  }

  /**
   * What a job had of a machine, in thousandths of a second of the whole machine.
   *
   * @param kept what its tasks ran that was not for nothing
   * @param lost what they ran for nothing, because the machine was taken back or lost
   */
  public record Work(String job, long kept, long lost) {}

  @Override
  public DocumentKey.OfStockout key() {
    return new DocumentKey.OfStockout(zone, machineType);
  }
}
