package dev.mayfly.bench.agents;

import dev.mayfly.porttests.Emulator;
import java.time.InstantSource;

/**
 * {@code bench/agents}: three instances of {@code workers}, and agents that wait at them.
 *
 * <p>With {@code cold N} before the numbers, N processes one after another, each with an emulator
 * of its own and one run in it, and the medians.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    if (args.length > 1 && args[0].equals("cold")) {
      Cold.runs(Integer.parseInt(args[1]), number(args, 2, 1024), number(args, 3, 2000))
          .forEach(System.out::println);
      return;
    }
    var agents = number(args, 0, 1024);
    var tasks = number(args, 1, 2000);
    var runs = number(args, 2, 3);
    var host = Emulator.FIRESTORE.running();
    for (var run = 0; run < runs; run++)
      try (var scene = new Scene(host, InstantSource.system(), agents, tasks)) {
        scene.play().forEach(System.out::println);
      }
    System.out.println(Floor.line(host, agents));
    System.exit(0);
  }

  private static int number(String[] args, int at, int otherwise) {
    return args.length > at ? Integer.parseInt(args[at]) : otherwise;
  }
}
