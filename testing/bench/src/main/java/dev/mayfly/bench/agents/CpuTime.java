package dev.mayfly.bench.agents;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;

/**
 * CPU time of this process and of the emulator: the cost of a run, independent of other load on the
 * machine.
 */
record CpuTime(Duration here, Duration emulator) {
  static CpuTime now() {
    var emulator =
        ProcessHandle.current()
            .children()
            .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
            .reduce(Duration.ZERO, Duration::plus);
    return new CpuTime(Duration.ofNanos(system().getProcessCpuTime()), emulator);
  }

  private static OperatingSystemMXBean system() {
    return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  }

  String since(CpuTime before) {
    var mine = here.minus(before.here).toMillis() / 1e3;
    var its = emulator.minus(before.emulator).toMillis() / 1e3;
    return String.format(
        Locale.ROOT,
        "  processor time %.2f s: %.2f here, %.2f in the emulator; load %.1f on %d processors",
        mine + its,
        mine,
        its,
        system().getSystemLoadAverage(),
        system().getAvailableProcessors());
  }
}
