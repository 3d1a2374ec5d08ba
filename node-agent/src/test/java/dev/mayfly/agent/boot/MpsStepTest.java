package dev.mayfly.agent.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.machine.MpsFolders;
import dev.mayfly.agent.process.FakePrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real daemons of a program in the place of NVIDIA's. */
@Timeout(60)
class MpsStepTest {
  /**
   * Leaves a process behind, as the real one does, and ends once that has written its id where the
   * real one keeps it: what asks whether it runs finds its last command, not one that changes.
   */
  private static final String DAEMON =
      """
      ready=$CUDA_MPS_PIPE_DIRECTORY/ready
      case $1 in
        -d) echo "$MAYFLY_TASK_OF" >"$CUDA_MPS_LOG_DIRECTORY/mark"
            rm -f "$ready"
            mkfifo "$ready"
            setsid sh "$0" serve </dev/null >/dev/null 2>&1 &
            read -r _ <"$ready" ;;
        serve) echo $$ >"$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid"
            echo ready >"$ready"
            while :; do sleep 1; done ;;
      esac\
      """;

  @TempDir Path folder;
  private FakePrograms programs;
  private MpsFolders folders;
  private final List<Long> daemons = new ArrayList<>();

  @BeforeEach
  void programs() {
    programs = new FakePrograms(folder);
    folders = MpsFolders.in(folder.resolve("work"));
  }

  @AfterEach
  void killDaemons() {
    for (long pid : daemons) ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  private MpsStep step() {
    return new MpsStep(folders, programs.environment(), Path.of("/proc"));
  }

  private void run() throws Exception {
    step().run();
    daemons.add(Long.parseLong(Files.readString(folders.pidFile()).strip()));
  }

  private long starts() throws Exception {
    return programs.arguments(MpsStep.PROGRAM).stream().filter("-d"::equals).count();
  }

  @Test
  void daemonIsStartedOnceAndAgainWhenGone() throws Exception {
    programs.with(MpsStep.PROGRAM, DAEMON);

    run();
    // The next agent's process finds it.
    run();
    assertThat(starts()).isEqualTo(1);

    Files.writeString(folders.pidFile(), idOfEndedProcess() + "\n");
    run();
    assertThat(starts()).isEqualTo(2);
  }

  private static long idOfEndedProcess() throws Exception {
    var process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  @Test
  void foldersAndMarkAreTheDaemons() throws Exception {
    programs.with(MpsStep.PROGRAM, DAEMON);

    run();

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

    run();

    assertThat(starts()).isEqualTo(1);
  }
}
