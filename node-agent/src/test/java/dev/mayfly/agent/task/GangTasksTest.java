package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.Disk;
import dev.mayfly.agent.os.HeldDevices;
import dev.mayfly.agent.os.WholeKill;
import dev.mayfly.agent.os.WorkDir;
import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Parts of gangs: prepared on one order, begun on another. */
@Timeout(60)
final class GangTasksTest {
  private static final Workshop.Tools TOOLS = Workshop.Tools.find();
  private static final Attempt ATTEMPT = new Attempt(new LeaseRef("j1", 7, 3), 7);
  private static final String INPUT = "gs://lab/in/part-7.jsonl";

  @TempDir Path root;
  private final FakeObjects objects = new FakeObjects();
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private WorkDir workDir;
  private Logs logs;
  private Tasks tasks;

  @BeforeEach
  void open() throws IOException {
    workDir = WorkDir.open(root.resolve("work"));
    objects.put(INPUT, "hello\n");
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var pace = new Logs.Pace(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 20);
    logs = new Logs(objects, pace, threads);
    tasks =
        new Tasks(
            new Workshop(
                workDir,
                new Disk(workDir),
                CompletableFuture.completedFuture(TOOLS.with(devices()))),
            Map.of("PATH", "/usr/bin:/bin"),
            Duration.ofSeconds(20),
            objects,
            reference -> "",
            logs,
            new Tasks.Outward(threads, events::add));
  }

  private HeldDevices devices() {
    return new HeldDevices(root.resolve("proc"));
  }

  @AfterEach
  void close() throws IOException {
    assertThat(WholeKill.earlier(workDir.root(), Duration.ofSeconds(20)).confirmed()).isTrue();
    workDir.close();
  }

  @Test
  void whatWasPreparedBeginsOnTheNextOrderWithItsRank() throws Exception {
    var sheet = Sheets.onTpu("sh", "-c", "cat {inputFile}; echo rank $MAYFLY_RANK");

    prepare(ATTEMPT, sheet);
    assertThat(next()).isEqualTo(new AgentEvent.Prepared(ATTEMPT));
    objects.delete(Url.of(INPUT), 0);
    start(sheet, Map.of("MAYFLY_RANK", "1"));

    assertThat(next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, Cause.USER, ""));
    logs.flush().get(20, SECONDS);
    assertThat(objects.text("gs://lab/mayfly/.jobs/j1/logs/00000007/s7e3-rank1/00000.log"))
        .as("beside rank 0's, which is the task's")
        .isEqualTo("hello\nrank 1\n");
  }

  @Test
  void whatWasPreparedAndIsKilledNeverBegins() throws Exception {
    var sheet = Sheets.onTpu("touch", root.resolve("begun").toString());
    prepare(ATTEMPT, sheet);
    next();

    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ofSeconds(5)));
    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
    start(sheet, Map.of());
    tasks.kill(new AgentEffect.Kill(ATTEMPT, Duration.ofSeconds(5)));

    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
    assertThat(root.resolve("begun")).doesNotExist();
  }

  @Test
  void anInputThatIsNotThereIsTheUsersBeforeAnythingBegins() throws Exception {
    objects.delete(Url.of(INPUT), 0);

    prepare(ATTEMPT, Sheets.onTpu("true"));

    assertThat(next())
        .isInstanceOfSatisfying(
            AgentEvent.Unready.class,
            unready -> {
              assertThat(unready.cause()).isEqualTo(Cause.USER);
              assertThat(unready.machine()).isFalse();
              assertThat(unready.evidence()).contains(INPUT);
            });
  }

  @Test
  void aDeviceThatStaysHeldIsTheMachinesFaultTheSecondTime() throws Exception {
    var fd = Files.createDirectories(root.resolve("proc/9/fd"));
    Files.writeString(fd.resolveSibling("comm"), "python3\n");
    Files.createSymbolicLink(fd.resolve("3"), Path.of("/dev/vfio/0"));
    var words = "/dev/vfio/0 is held by process 9 (python3)";

    prepare(ATTEMPT, Sheets.onTpu("true"));
    assertThat(next())
        .isEqualTo(new AgentEvent.Unready(ATTEMPT, Cause.INFRASTRUCTURE, false, words));
    var again = new Attempt(new LeaseRef("j1", 7, 4), 7);
    prepare(again, Sheets.onTpu("true"));

    assertThat(next()).isEqualTo(new AgentEvent.Unready(again, Cause.INFRASTRUCTURE, true, words));
  }

  private void prepare(Attempt attempt, JobSheet sheet) {
    tasks.prepare(new AgentEffect.Prepare(attempt, sheet, item(), List.of()));
  }

  private void start(JobSheet sheet, Map<String, String> peers) {
    tasks.start(new AgentEffect.Start(ATTEMPT, sheet, item(), List.of(), peers));
  }

  private static TaskItem item() {
    return new TaskItem(7, Optional.of(INPUT), Map.of());
  }

  private AgentEvent next() throws InterruptedException {
    var event = events.poll(30, SECONDS);
    assertThat(event).isNotNull();
    return event;
  }
}
