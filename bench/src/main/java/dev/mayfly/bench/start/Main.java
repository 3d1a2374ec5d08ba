package dev.mayfly.bench.start;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code bench/run cold-start}: the unpacked archive, the file with its options, how many times.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    var bench = ColdStart.of(Archive.of(Path.of(args[0]), Files.readString(Path.of(args[1]))));
    System.out.println(bench.measured(Integer.parseInt(args[2])));
    System.exit(0);
  }
}
