package dev.mayfly.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The entry point for Jazzer, which runs in its own process: see {@code testing/fuzz/run}. The
 * property {@code mayfly.fuzz.entry} names the entry point; without it the first byte of each input
 * chooses one.
 */
public final class Main {
  private static final String ENTRY = "mayfly.fuzz.entry";
  private static final int ROUNDS = 1;

  /** Equal to Jazzer's {@code -max_len}. */
  private static final int LONGEST = 4_096;

  private static List<FuzzTarget> entries = List.of();
  private static FuzzOracle fuzzOracle = new FuzzOracle(System::nanoTime);

  private Main() {}

  /** Writes the seeds of all entry points to a folder, or prints the names of the entry points. */
  public static void main(String[] arguments) throws IOException {
    quiet();
    var all = FuzzTargets.all();
    if (arguments.length == 0) {
      all.forEach(e -> System.out.println(e.name()));
      return;
    }
    var folder = Path.of(arguments[0]);
    for (var i = 0; i < all.size(); i++) {
      var own = Files.createDirectories(folder.resolve(all.get(i).name()));
      var mixed = Files.createDirectories(folder.resolve("all"));
      var number = 0;
      for (var seed : toMutate(all.get(i))) {
        var name = all.get(i).name() + "-" + number++;
        Files.write(own.resolve(name), seed);
        Files.write(mixed.resolve(name), marked(i, seed));
      }
    }
  }

  /** Jazzer would truncate longer ones; {@code FuzzTest} tries them in full. */
  private static List<byte[]> toMutate(FuzzTarget entry) {
    return entry.seeds().stream().filter(seed -> seed.length < LONGEST).toList();
  }

  private static byte[] marked(int entry, byte[] seed) {
    var marked = new byte[seed.length + 1];
    marked[0] = (byte) entry;
    System.arraycopy(seed, 0, marked, 1, seed.length);
    return marked;
  }

  /** Called by Jazzer once. */
  public static void fuzzerInitialize() {
    quiet();
    var named = System.getProperty(ENTRY, "");
    entries =
        FuzzTargets.all().stream().filter(e -> named.isEmpty() || e.name().equals(named)).toList();
    if (entries.isEmpty()) throw new IllegalArgumentException("no entry point is called " + named);
    // Class loading and first compilations precede all measurements.
    for (var round = 0; round < ROUNDS; round++)
      for (var entry : entries) for (var seed : toMutate(entry)) FuzzOracle.outcome(entry, seed);
    fuzzOracle = new FuzzOracle(System::nanoTime);
  }

  /** Called by Jazzer with each input. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (entries.size() == 1) {
      fuzzOracle.judge(entries.getFirst(), input);
    } else if (input.length > 0) {
      var entry = entries.get(Byte.toUnsignedInt(input[0]) % entries.size());
      fuzzOracle.judge(entry, Arrays.copyOfRange(input, 1, input.length));
    }
  }

  /** Called by Jazzer at the end. */
  public static void fuzzerTearDown() {
    var names = entries.size() == 1 ? entries.getFirst().name() : "all";
    System.out.println("fuzz " + names + ": " + fuzzOracle.figures());
  }

  /** Silences the log, which would have a line for each of a million refused inputs. */
  private static void quiet() {
    Logger.getLogger("").setLevel(Level.OFF);
  }
}
