package dev.mayfly.agent.boot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.agent.libc.NewFile;
import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.core.model.cluster.SeedSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills storage once: a file on the volume says that a seed of this content was made, and a lock
 * beside it that another machine is making it, which is waited for.
 */
final class SeedStep implements PreparationStep {
  private static final Logger LOG = LoggerFactory.getLogger(SeedStep.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
  private static final Duration RENEW_EVERY = Duration.ofSeconds(20);

  private final String storage;
  private final Path root;
  private final SeedSpec seed;
  private final ProgramRunner programRunner;
  private final Pause pause;
  private final SeedLock lock;

  /** Waits; tests do not. */
  interface Pause {
    void sleep(Duration time) throws InterruptedException;
  }

  /**
   * @param root where the storage is mounted
   * @param owner names this machine to people
   */
  SeedStep(
      String storage,
      Path root,
      SeedSpec seed,
      ProgramRunner programRunner,
      String owner,
      Pause pause) {
    this.storage = storage;
    this.root = root;
    this.seed = seed;
    this.programRunner = programRunner;
    this.pause = pause;
    this.lock = new SeedLock(folder(), owner);
  }

  @Override
  public String name() {
    return "seed " + storage;
  }

  private Path folder() {
    return root.resolve(".mayfly");
  }

  private Path done() {
    return folder().resolve("seed-" + seed.hash());
  }

  @Override
  public void run() throws Failed, InterruptedException {
    try {
      // Tasks write to the storage too, and this is written with the agent's rights.
      if (Files.isSymbolicLink(folder()))
        throw new Failed(
            folder() + " is a link; remove it, so that the seed can be recorded there");
      Files.createDirectories(folder());
      while (!Files.exists(done())) {
        var taken = lock.take();
        if (taken.isPresent()) fill(taken.get());
        else pause.sleep(LOOK_EVERY);
      }
    } catch (IOException e) {
      throw new Failed("the seed cannot be recorded on storage " + storage + ": " + e, e);
    }
  }

  /** Another machine may have ended it between the look and the lock. */
  private void fill(Path taken) throws IOException, Failed, InterruptedException {
    var renewal = Thread.ofPlatform().daemon().name("seed-lock").start(() -> renew(taken));
    try {
      if (Files.exists(done())) return;
      LOG.info("seed starts storage={} hash={}", storage, seed.hash());
      var argv = new ArrayList<>(List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", root.toString()));
      argv.addAll(seed.command());
      var result = programRunner.run(seed.timeout(), argv);
      if (!(result instanceof ProgramRunner.Result.Ended ended && ended.ok()))
        throw new Failed(cause(result));
      NewFile.replace(done(), (String.join("\n", seed.command()) + "\n").getBytes(UTF_8));
    } finally {
      renewal.interrupt();
      renewal.join();
      lock.release(taken);
    }
  }

  private String cause(ProgramRunner.Result result) {
    return switch (result) {
      case ProgramRunner.Result.Missing m -> "this machine's image has no program sh";
      case ProgramRunner.Result.TimedOut t ->
          "it took longer than its timeout, %d s; raise seed.timeout of storage %s"
              .formatted(seed.timeout().toSeconds(), storage);
      case ProgramRunner.Result.Ended e ->
          "its command ended with exit code %d: %s".formatted(e.code(), e.output());
    };
  }

  private void renew(Path taken) {
    try {
      while (true) {
        Thread.sleep(RENEW_EVERY);
        lock.renew(taken);
      }
    } catch (InterruptedException ended) {
      return;
    } catch (IOException e) {
      LOG.warn("the lock of a seed cannot be renewed storage={}", storage, e);
    }
  }
}
