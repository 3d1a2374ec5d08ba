package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.LastingFolders.SetupFolder;
import dev.mayfly.agent.logs.LogFile;
import dev.mayfly.agent.setup.SetupFailedException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finished setups in the bucket, each created once. Programs in a setup may name its folder and the
 * machine's libraries, so a setup is used by machines of the same folder, processor and system, or
 * of the same image.
 *
 * <p>Nothing here fails an attempt: a setup that cannot be fetched is made, and one that cannot be
 * stored is made again elsewhere. Archives are packed and unpacked by the tasks' user, since their
 * content is.
 */
final class SetupArchive {
  private static final Logger LOG = LoggerFactory.getLogger(SetupArchive.class);
  private static final Path SYSTEM = Path.of("/etc/os-release");
  private static final Duration TIMEOUT = Duration.ofMinutes(30);
  private static final String FILE = "setup.tar.gz";

  private final ObjectStore objectStore;
  private final PreparationProcess preparationProcess;
  private final AttemptCommands attemptCommands;

  SetupArchive(
      ObjectStore objectStore,
      PreparationProcess preparationProcess,
      AttemptCommands attemptCommands) {
    this.objectStore = objectStore;
    this.preparationProcess = preparationProcess;
    this.attemptCommands = attemptCommands;
  }

  /** Fills the folder from the bucket; false, with an empty folder, if there is nothing to use. */
  boolean fetched(SetupFolder folder, LogFile log, SetupRunner.Use use)
      throws InterruptedException {
    var file = archive(use.dir());
    try (var in = objectStore.open(place(folder, use)).orElse(null)) {
      if (in == null) return false;
      Files.copy(in, file);
      var user = attemptCommands.user(use.start());
      if (user.isPresent()) user.get().chown(file);
      tar(List.of("-xzf", file.toString(), "-C", folder.content().toString()), log, use);
      return true;
    } catch (IOException | MayflyException | SetupFailedException e) {
      LOG.warn("stored setup not used folder={} reason={}", folder.folder(), e.toString());
      empty(folder, log, use);
      return false;
    } finally {
      delete(file);
    }
  }

  /** What a failed try unpacked belongs to the tasks' user. */
  private void empty(SetupFolder folder, LogFile log, SetupRunner.Use use)
      throws InterruptedException {
    var argv = List.of("find", folder.content().toString(), "-mindepth", "1", "-delete");
    try {
      run(argv, log, use);
    } catch (SetupFailedException e) {
      LOG.warn("half a stored setup is left folder={}", folder.folder(), e);
    }
  }

  void store(SetupFolder folder, LogFile log, SetupRunner.Use use) throws InterruptedException {
    var file = archive(use.dir());
    try {
      tar(List.of("-czf", file.toString(), "-C", folder.content().toString(), "."), log, use);
      var content = content(use.dir());
      if (content.isPresent()) {
        var unused = objectStore.create(place(folder, use), content.get(), Map.of());
      }
    } catch (IOException | MayflyException | SetupFailedException e) {
      LOG.warn("setup not stored folder={} reason={}", folder.folder(), e.toString());
    } finally {
      delete(file);
    }
  }

  private void tar(List<String> arguments, LogFile log, SetupRunner.Use use)
      throws SetupFailedException, InterruptedException {
    var argv = new ArrayList<>(List.of("tar"));
    argv.addAll(arguments);
    run(argv, log, use);
  }

  private void run(List<String> argv, LogFile log, SetupRunner.Use use)
      throws SetupFailedException, InterruptedException {
    var program = new PreparationProcess.Program(argv, use.taskCommand().env(), TIMEOUT);
    preparationProcess.run(program, Optional.empty(), log, use);
  }

  private static Path archive(AttemptDir dir) {
    return dir.containedTemporary().resolve(FILE);
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It goes with the attempt's folder.
      LOG.debug("archive not deleted file={}", file, e);
    }
  }

  private static ObjectUrl place(SetupFolder folder, SetupRunner.Use use) throws IOException {
    var image = use.container().map(TaskContainer::image);
    var system =
        image.isEmpty() && Files.isReadable(SYSTEM) ? Files.readString(SYSTEM) : image.orElse("");
    var name =
        String.join("\n", folder.content().toString(), System.getProperty("os.arch"), system);
    return BucketLayout.of(use.start().jobInfo().bucket()).setup(Sha256.of(name));
  }

  /** Other tasks of the same user could put a link in the file's place. */
  private static Optional<ObjectStore.Content> content(AttemptDir dir) throws IOException {
    try (var open = dir.temporaries().orElse(null)) {
      if (open == null) return Optional.empty();
      return open.find(Path.of(FILE))
          .filter(found -> found.isRegularFile())
          .map(found -> new Archive(dir, found.size()));
    }
  }

  private record Archive(AttemptDir dir, long size) implements ObjectStore.Content {
    @Override
    public InputStream open() throws IOException {
      try (var open = dir.temporaries().orElseThrow(() -> new IOException("the folder is gone"))) {
        return open.read(Path.of(FILE))
            .map(Channels::newInputStream)
            .orElseThrow(() -> new IOException("the archive is no longer a file"));
      }
    }
  }
}
