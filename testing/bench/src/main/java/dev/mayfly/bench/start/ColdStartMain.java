package dev.mayfly.bench.start;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code testing/bench/run cold-start}: arguments are the unpacked archive, the file with its
 * options, and the number of starts.
 */
public final class ColdStartMain {
  private ColdStartMain() {}

  public static void main(String[] args) throws Exception {
    var bench =
        ColdStart.of(FunctionArchive.of(Path.of(args[0]), Files.readString(Path.of(args[1]))));
    System.out.println(bench.measured(Integer.parseInt(args[2])));
    System.exit(0);
  }
}
