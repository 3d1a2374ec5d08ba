package dev.mayfly.agent.boot;

import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.agent.process.ProgramRunner.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Google's apt repository of gcsfuse, which the mirrors of Debian and Ubuntu do not have, and the
 * key that signs it.
 */
final class GcsfuseRepository {
  static final String PACKAGE = "gcsfuse";

  private static final String HOST = "https://packages.cloud.google.com/apt";
  private static final String KEY = "usr/share/keyrings/mayfly-gcsfuse.asc";
  private static final Pattern CODENAME = Pattern.compile("VERSION_CODENAME=\"?([a-z]{2,30})\"?");
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int WORDS = 300;

  private final Path root;
  private final ProgramRunner programRunner;

  /**
   * @param root of the machine's files
   */
  GcsfuseRepository(Path root, ProgramRunner programRunner) {
    this.root = root;
    this.programRunner = programRunner;
  }

  /** Makes it known to apt. A repeat fetches nothing that is there. */
  void add() throws PreparationStep.Failed, InterruptedException {
    try {
      var key = root.resolve(KEY);
      if (!Files.exists(key)) fetch(key);
      var line = "deb [signed-by=/%s] %s gcsfuse-%s main\n".formatted(KEY, HOST, codename());
      Files.createDirectories(list().getParent());
      Files.writeString(list(), line);
    } catch (IOException e) {
      throw new PreparationStep.Failed("the repository of gcsfuse cannot be written: " + e);
    }
  }

  private Path list() {
    return root.resolve("etc/apt/sources.list.d/mayfly-gcsfuse.list");
  }

  /** A key that is half there is never used. */
  private void fetch(Path key) throws IOException, PreparationStep.Failed, InterruptedException {
    Files.createDirectories(key.getParent());
    var part = key.resolveSibling(key.getFileName() + ".part");
    var fetched =
        programRunner.run(
            LIMIT,
            List.of(
                "curl",
                "--silent",
                "--show-error",
                "--fail",
                "--location",
                "--proto",
                "=https",
                "--max-time",
                "60",
                "--output",
                part.toString(),
                "--",
                HOST + "/doc/apt-key.gpg"));
    if (!(fetched instanceof Result.Ended ended && ended.ok()))
      throw new PreparationStep.Failed(
          "the key of %s, Google's repository of gcsfuse, cannot be fetched: %s; a machine reaches it through its subnet's NAT, or name a boot image that has gcsfuse (machine.image of the pool)"
              .formatted(HOST, said(fetched)));
    Files.move(part, key, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String said(Result result) {
    return switch (result) {
      case Result.Missing _ -> "this machine's image has no curl";
      case Result.TimedOut _ -> "no answer within " + LIMIT.toMinutes() + " minutes";
      case Result.Ended ended -> {
        var text = ended.output().strip();
        yield text.substring(Math.max(0, text.length() - WORDS));
      }
    };
  }

  /** The repository has a part for each version of Debian and Ubuntu. */
  private String codename() throws IOException, PreparationStep.Failed {
    for (var line : Files.readAllLines(root.resolve("etc/os-release"))) {
      var named = CODENAME.matcher(line);
      if (named.matches()) return named.group(1);
    }
    throw new PreparationStep.Failed(
        "/etc/os-release names no version of Debian or Ubuntu, for which Google has gcsfuse; name a boot image that has it (machine.image of the pool)");
  }
}
