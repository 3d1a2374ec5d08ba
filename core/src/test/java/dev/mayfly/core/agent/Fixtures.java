package dev.mayfly.core.agent;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.TaskSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Values for the tests of this package; each sets only what the test is about. */
final class Fixtures {
  static final Instant T0 = Instant.parse("2026-11-01T12:00:00Z");
  static final Clocks START = new Clocks(T0, 1_000_000_000_000L);
  static final Incarnation INCARNATION = new Incarnation("i-1", "boot-1", T0);

  private Fixtures() {}

  /** A machine with that many CPUs. */
  static MachineSheet machine(int cpus) {
    return machine(Resources.cpu(cpus, 16L << 30));
  }

  static MachineSheet machine(Resources visible) {
    return new MachineSheet("c1", "w1", "p", "nonce", "http://x", "file:///b", visible);
  }

  /** A job of counted tasks of one CPU each; timeout 1 h, grace 10 s, cut-off 15 min. */
  static JobSheet job() {
    return job(false);
  }

  static JobSheet exclusive() {
    return job(true);
  }

  private static JobSheet job(boolean exclusive) {
    return job(exclusive, Duration.ofSeconds(10));
  }

  static JobSheet graceful(Duration grace) {
    return job(false, grace);
  }

  private static JobSheet job(boolean exclusive, Duration grace) {
    var run =
        new JobSpec.Run(
            List.of("true"),
            Optional.empty(),
            Map.of(),
            Duration.ofHours(1),
            grace,
            Duration.ofMinutes(15));
    return sheet(
        new TaskSource.Count(1_000_000), data(false, false), run, Resources.cpu(1, 0), exclusive);
  }

  static JobSheet needing(Resources need) {
    return sheet(new TaskSource.Count(100), data(false, false), job().spec().run(), need, false);
  }

  static JobSheet listed() {
    return sheet(
        new TaskSource.Inputs("file:///in/*"),
        data(false, false),
        job().spec().run(),
        Resources.cpu(1, 0),
        false);
  }

  static JobSheet with(JobSpec.Data data) {
    return sheet(new TaskSource.Count(1_000), data, job().spec().run(), Resources.cpu(1, 0), false);
  }

  static JobSpec.Data data(boolean written, boolean overwrite) {
    return new JobSpec.Data(Optional.of("file:///out/{index}.txt"), false, written, overwrite);
  }

  private static JobSheet sheet(
      TaskSource tasks, JobSpec.Data data, JobSpec.Run run, Resources need, boolean exclusive) {
    var spec =
        new JobSpec(
            "job",
            "c1",
            Optional.empty(),
            tasks,
            data,
            run,
            need,
            new JobSpec.Retries(3, 100),
            50,
            List.of(),
            exclusive);
    return new JobSheet("j1", "h1", spec, "file:///b", Map.of(), 1_000_000, Optional.empty());
  }

  static LeaseRef lease(long start) {
    return new LeaseRef("j1", start, 1);
  }

  static Attempt attempt(long start, long index) {
    return new Attempt(lease(start), index);
  }

  /** An order for [start, end). */
  static SyncOrders.Lease order(long start, long end) {
    return new SyncOrders.Lease(lease(start), end, Bits.none(start), "h1", false);
  }

  static SyncOrders.Lease recalled(long start, long end) {
    return new SyncOrders.Lease(lease(start), end, Bits.none(start), "h1", true);
  }

  static Output output(Attempt attempt) {
    return new Output("j1", attempt.index(), attempt.name(), "file:///out/x", 7, 1, "AAAAAA==");
  }
}
