package dev.mayfly.agent.boot;

import dev.mayfly.agent.machine.MpsFolders;
import dev.mayfly.agent.process.ProgramRunner;
import dev.mayfly.agent.process.kill.TaskMarkers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts the control daemon of NVIDIA's Multi-Process Service, unless it runs. It outlives the
 * agent's process, and the next agent finds it by the id that it keeps in its folder of pipes
 * (docs.nvidia.com/deploy/mps, tools and interface reference).
 */
final class MpsStep implements PreparationStep {
  static final String PROGRAM = "nvidia-cuda-mps-control";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final MpsFolders folders;
  private final ProgramRunner programRunner;
  private final Path proc;

  /**
   * @param environment of the daemon, which is found in its PATH
   * @param proc where the kernel shows processes
   */
  MpsStep(MpsFolders folders, Map<String, String> environment, Path proc) {
    this.folders = folders;
    this.proc = proc;
    var own = new HashMap<>(environment);
    own.putAll(folders.variables());
    // The sweep for what tasks left behind spares a daemon that is marked as nobody's.
    own.put(TaskMarkers.TASK_OF, PROGRAM);
    this.programRunner = new ProgramRunner(own);
  }

  @Override
  public String name() {
    return "mps";
  }

  @Override
  public void run() throws Failed, InterruptedException {
    try {
      folders.create();
    } catch (IOException e) {
      throw new Failed("the folder " + folders.pipe() + " cannot be made: " + e, e);
    }
    if (isRunning()) return;
    var result = programRunner.run(LIMIT, List.of(PROGRAM, "-d"));
    if (result instanceof ProgramRunner.Result.Ended ended && ended.ok()) return;
    // Somebody else may have started it in between.
    if (!isRunning()) throw new Failed(cause(result));
  }

  private static String cause(ProgramRunner.Result result) {
    return switch (result) {
      case ProgramRunner.Result.Missing m ->
          "this machine's image has no program %s, which comes with NVIDIA's driver; name another image, or write gpuSharing: time-slicing"
              .formatted(PROGRAM);
      case ProgramRunner.Result.TimedOut t ->
          "%s -d did not end in %d s".formatted(PROGRAM, LIMIT.toSeconds());
      case ProgramRunner.Result.Ended e ->
          "%s -d ended with exit code %d: %s".formatted(PROGRAM, e.code(), e.output());
    };
  }

  /** A process may have got the id of a daemon that is gone, so its command must fit too. */
  private boolean isRunning() {
    try {
      var pid = Files.readString(folders.pidFile()).strip();
      if (!pid.matches("[1-9]\\d{0,9}")) return false;
      var command = Files.readAllBytes(proc.resolve(pid).resolve("cmdline"));
      return new String(command, StandardCharsets.UTF_8).contains(PROGRAM);
    } catch (IOException gone) {
      return false;
    }
  }
}
