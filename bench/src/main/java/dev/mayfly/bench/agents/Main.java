package dev.mayfly.bench.agents;

import dev.mayfly.porttests.Emulator;
import java.time.InstantSource;

/** {@code bench/agents}: three instances of {@code workers}, and agents that wait at them. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    var agents = args.length > 0 ? Integer.parseInt(args[0]) : 1024;
    var tasks = args.length > 1 ? Integer.parseInt(args[1]) : 2000;
    var runs = args.length > 2 ? Integer.parseInt(args[2]) : 3;
    var host = Emulator.FIRESTORE.running();
    for (var run = 0; run < runs; run++)
      try (var scene = new Scene(host, InstantSource.system(), agents, tasks)) {
        scene.play().forEach(System.out::println);
      }
    System.exit(0);
  }
}
