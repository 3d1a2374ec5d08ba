package dev.mayfly.bench.agents;

import dev.mayfly.bench.start.FunctionArchive;
import dev.mayfly.porttests.GoogleEmulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code testing/bench/agents}: three instances of {@code workers}, and agents with pending syncs.
 *
 * <p>With {@code cold N} before the numbers, N processes one after another, each with its own
 * emulator and one run, and the medians. With {@code latency N}, N jobs of one task one after
 * another. With {@code open ARCHIVE OPTIONS}, a thousand agents at one instance, which is the
 * function itself.
 */
public final class WaitingAgentsMain {
  /** Agents in excess of jobs, because each job takes one. */
  private static final int SPARE = 60;

  private WaitingAgentsMain() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 1 && args[0].equals("cold")) {
      var runs = Integer.parseInt(args[1]);
      ColdRuns.runs(runs, number(args, 2, 1024), number(args, 3, 2000), System.out::println)
          .forEach(System.out::println);
      return;
    }
    if (args.length > 2 && args[0].equals("open")) {
      var functionArchive =
          FunctionArchive.of(Path.of(args[1]), Files.readString(Path.of(args[2])));
      OpenCalls.lines(
              functionArchive,
              InstantSource.system(),
              number(args, 3, 1_000),
              number(args, 4, 2_000))
          .forEach(System.out::println);
      System.exit(0);
    }
    if (args.length > 0 && args[0].equals("latency")) {
      latency(number(args, 1, 21)).forEach(System.out::println);
      System.exit(0);
    }
    var agents = number(args, 0, 1024);
    var tasks = number(args, 1, 2000);
    var runs = number(args, 2, 3);
    var host = GoogleEmulator.FIRESTORE.running();
    for (var run = 0; run < runs; run++) play(host, agents, tasks).forEach(System.out::println);
    System.out.println(EmulatorBaseline.line(host, agents));
    System.exit(0);
  }

  private static List<String> play(String host, int agents, int tasks) throws Exception {
    var leaseArrivals = new LeaseArrivals();
    try (var benchCluster = new BenchCluster(host, InstantSource.system(), agents, leaseArrivals)) {
      return benchCluster.runJob(leaseArrivals, tasks);
    }
  }

  /** With the time of a single commit of a worker and a shard, for comparison. */
  private static List<String> latency(int jobs) throws Exception {
    var host = GoogleEmulator.FIRESTORE.running();
    var dispatchLatency = new DispatchLatency();
    var lines = new ArrayList<String>();
    try (var benchCluster =
        new BenchCluster(host, InstantSource.system(), jobs + SPARE, dispatchLatency)) {
      lines.addAll(dispatchLatency.lines(benchCluster, jobs));
    }
    lines.add(EmulatorBaseline.alone(host, jobs));
    return lines;
  }

  private static int number(String[] args, int at, int otherwise) {
    return args.length > at ? Integer.parseInt(args[at]) : otherwise;
  }
}
