package dev.mayfly.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.machine.MpsFolders;
import dev.mayfly.agent.process.FakePrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real daemons of a program in the place of NVIDIA's. */
@Timeout(60)
class MpsStepTest {
  /** Leaves a process behind, as the real one does, and its id where that keeps it. */
  private static final String DAEMON =
      """
      case $1 in
        -d) setsid sh -c 'exec sh "$0" serve' "$0" </dev/null >/dev/null 2>&1 &
            echo $! >"$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid"
            echo "$MAYFLY_TASK_OF" >"$CUDA_MPS_LOG_DIRECTORY/mark" ;;
        serve) while :; do sleep 1; done ;;
      esac\
      """;

  @TempDir Path folder;
  private FakePrograms programs;
  private MpsFolders folders;

  @BeforeEach
  void programs() {
    programs = new FakePrograms(folder);
    folders = MpsFolders.in(folder.resolve("work"));
  }

  @AfterEach
  void killDaemon() throws Exception {
    if (Files.exists(folders.pidFile()))
      ProcessHandle.of(Long.parseLong(Files.readString(folders.pidFile()).strip()))
          .ifPresent(ProcessHandle::destroyForcibly);
  }

  private MpsStep step() {
    return new MpsStep(folders, programs.environment(), Path.of("/proc"));
  }

  private long starts() throws Exception {
    return programs.arguments(MpsStep.PROGRAM).stream().filter("-d"::equals).count();
  }

  @Test
  void daemonIsStartedOnceAndAgainWhenGone() throws Exception {
    programs.with(MpsStep.PROGRAM, DAEMON);

    step().run();
    while (!isRunning()) Thread.sleep(20);
    // The next agent's process finds it.
    step().run();
    assertThat(starts()).isEqualTo(1);

    killDaemon();
    while (isRunning()) Thread.sleep(20);
    step().run();
    assertThat(starts()).isEqualTo(2);
  }

  private String pid() throws Exception {
    return Files.readString(folders.pidFile()).strip();
  }

  private boolean isRunning() throws Exception {
    try {
      return Files.readString(Path.of("/proc", pid(), "cmdline")).contains(MpsStep.PROGRAM);
    } catch (IOException gone) {
      return false;
    }
  }

  @Test
  void foldersAndMarkAreTheDaemons() throws Exception {
    programs.with(MpsStep.PROGRAM, DAEMON);

    step().run();

    assertThat(Files.readString(folders.log().resolve("mark")).strip()).isEqualTo(MpsStep.PROGRAM);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folders.pipe())))
        .isEqualTo("rwx--x--x");
    assertThat(folders.pipe()).isEqualTo(folder.toAbsolutePath().resolve("work/mps/pipe"));
  }

  @Test
  void failureSaysWhatAndHowToMend() throws Exception {
    programs.with(MpsStep.PROGRAM, "echo 'Cannot find MPS control daemon process' >&2; exit 3");

    assertThatThrownBy(() -> step().run())
        .isInstanceOf(PreparationStep.Failed.class)
        .hasMessage(
            "nvidia-cuda-mps-control -d ended with exit code 3: Cannot find MPS control daemon"
                + " process");
    assertThatThrownBy(
            () -> new MpsStep(folders, Map.of("PATH", "/nowhere"), Path.of("/proc")).run())
        .isInstanceOf(PreparationStep.Failed.class)
        .hasMessageContaining("no program nvidia-cuda-mps-control")
        .hasMessageContaining("gpuSharing: time-slicing");
  }

  @Test
  void idOfAnotherProcessIsNoDaemon() throws Exception {
    programs.with(MpsStep.PROGRAM, DAEMON);
    folders.create();
    Files.writeString(folders.pidFile(), ProcessHandle.current().pid() + "\n");

    step().run();

    assertThat(starts()).isEqualTo(1);
  }
}
