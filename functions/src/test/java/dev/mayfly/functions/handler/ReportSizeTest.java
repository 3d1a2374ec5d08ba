package dev.mayfly.functions.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.wire.Wire;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The longest report that an agent writes is accepted. */
class ReportSizeTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00.123456789Z");
  private static final String LONGEST_NAME = "w".repeat(63);

  /** In JSON a control character takes six bytes. */
  private static final String WORST = "\u0001".repeat(AttemptFailure.EVIDENCE_CAP);

  private static AttemptFailure failure(LeaseRef lease, long index) {
    return new AttemptFailure(
        index, lease.attempt(), FailureCause.INFRASTRUCTURE, -1_000, WORST, LONGEST_NAME, NOW);
  }

  /** A lease of ten thousand tasks, every second one done. */
  private static SyncReport.Lease lease(int number) {
    var start = 9_000_000_000L + number * 10_000L;
    var ref = new LeaseRef("j".repeat(40), start, 1_000_000);
    var failed =
        LongStream.range(start, start + SyncReport.FAILURES_OF_LEASE)
            .mapToObj(i -> failure(ref, i))
            .toList();
    var done = TaskSet.where(start, start + 10_000, i -> i % 2 == 0);
    var running = LongStream.range(start, start + 256).boxed().toList();
    return new SyncReport.Lease(
        ref, start + 10_000, done, failed, running, start, true, List.of(), List.of());
  }

  @Test
  void longestReportIsAccepted() {
    var leases = SyncReport.FAILURES / SyncReport.FAILURES_OF_LEASE;
    var report =
        new SyncReport(
            "c".repeat(40),
            LONGEST_NAME,
            255,
            new Incarnation("9".repeat(20), "b".repeat(36), NOW),
            "n".repeat(64),
            Long.MAX_VALUE,
            Resources.cpu(416, 1L << 44),
            Resources.cpu(416, 1L << 44),
            Map.of("j".repeat(40), 1L),
            LongStream.range(0, leases).mapToObj(i -> lease((int) i)).toList(),
            List.of("h".repeat(64)),
            List.of(),
            Optional.of(NOW),
            false,
            25,
            Optional.of(MachineProblem.Kind.UNFIT.of(WORST)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty());

    var bytes = Wire.shared().report(report).length;

    // Leaves space for the done tasks and the running tasks of many more leases.
    assertThat(bytes).isLessThan(WorkersHandler.BODY_CAP - (2 << 20));
    assertThat(Wire.shared().report(Wire.shared().report(report)).leases()).hasSize(leases);
  }
}
