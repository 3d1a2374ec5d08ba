package dev.mayfly.agent.task;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.gang.GangPort;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.machine.HeldDevices;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Gang members: prepared by one effect, started by another. */
@Timeout(60)
final class GangTaskTest {
  private static final TaskContext.Tools TOOLS = TaskContext.Tools.find();
  private static final TaskAttempt ATTEMPT = new TaskAttempt(new LeaseRef("j1", 7, 3), 7);
  private static final String INPUT = "gs://lab/in/part-7.jsonl";

  @TempDir Path root;
  private final FakeObjects objects = new FakeObjects();
  private final LinkedBlockingQueue<AgentEvent> events = new LinkedBlockingQueue<>();
  private WorkDir workDir;
  private LogUploader logUploader;
  private TaskExecutor taskExecutor;

  @BeforeEach
  void open() throws IOException {
    workDir = WorkDir.open(root.resolve("work"));
    objects.put(INPUT, "hello\n");
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var uploadPolicy =
        new LogUploader.UploadPolicy(Duration.ofSeconds(2), Duration.ofMinutes(5), 1 << 20);
    logUploader = new LogUploader(objects, uploadPolicy, threads);
    taskExecutor =
        new TaskExecutor(
            TaskContexts.of(workDir, TOOLS.with(devices())),
            Map.of("PATH", "/usr/bin:/bin"),
            Duration.ofSeconds(20),
            objects,
            reference -> "",
            logUploader,
            new TaskExecutor.ExecutionContext(threads, InstantSource.system(), events::add));
  }

  private HeldDevices devices() {
    return new HeldDevices(root.resolve("proc"));
  }

  @AfterEach
  void close() throws IOException {
    assertThat(ProcessTreeKiller.killEarlier(workDir.root(), Duration.ofSeconds(20)).confirmed())
        .isTrue();
    workDir.close();
  }

  @Test
  void preparedPartStartsWithRank() throws Exception {
    var jobInfo = TestJobs.onTpu("sh", "-c", "cat {inputFile}; echo rank $MAYFLY_RANK");

    prepare(ATTEMPT, jobInfo);
    assertThat(next()).isEqualTo(new AgentEvent.Prepared(ATTEMPT, GangContact.NONE));
    objects.delete(ObjectUrl.of(INPUT), 0);
    start(jobInfo, Map.of("MAYFLY_RANK", "1"));

    assertThat(next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, FailureCause.USER, ""));
    logUploader.flush().get(20, SECONDS);
    assertThat(objects.text("gs://lab/mayfly/.jobs/j1/logs/00000007/s7e3-rank1/00000.log"))
        .as("beside rank 0's, which is the task's")
        .isEqualTo("hello\nrank 1\n");
  }

  @Test
  void setupIsMadeInPreparationOnce() throws Exception {
    var setup =
        new SetupSpec(
            List.of("sh", "-c", "echo made by $MAYFLY_RANK"),
            List.of(),
            Duration.ofMinutes(1),
            false,
            Optional.empty());
    var environment = new TaskEnvironment(Optional.of(setup), Optional.empty(), Optional.empty());
    var jobInfo = TestJobs.with(environment, TestJobs.onTpu("sh", "-c", "cd $MAYFLY_SETUP"));

    prepare(ATTEMPT, jobInfo);
    assertThat(next()).isEqualTo(new AgentEvent.Prepared(ATTEMPT, GangContact.NONE));
    start(jobInfo, Map.of("MAYFLY_RANK", "1"));
    assertThat(next()).isEqualTo(new AgentEvent.Exited(ATTEMPT, 0, FailureCause.USER, ""));

    logUploader.flush().get(20, SECONDS);
    assertThat(objects.texts("gs://lab/mayfly/.jobs/j1/logs/")).containsExactly("made by 1\n");
    assertThat(objects.urls()).anyMatch(url -> url.contains("/setup-s7e3-rank1/"));
  }

  @Test
  void killedPreparedPartNeverStarts() throws Exception {
    var jobInfo = TestJobs.onTpu("touch", root.resolve("begun").toString());
    prepare(ATTEMPT, jobInfo);
    next();

    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ofSeconds(5)));
    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
    start(jobInfo, Map.of());
    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ofSeconds(5)));

    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
    assertThat(root.resolve("begun")).doesNotExist();
  }

  @Test
  void missingInputFailsBeforeStart() throws Exception {
    objects.delete(ObjectUrl.of(INPUT), 0);

    prepare(ATTEMPT, TestJobs.onTpu("true"));

    assertThat(next())
        .isInstanceOfSatisfying(
            AgentEvent.PrepareFailed.class,
            prepareFailed -> {
              assertThat(prepareFailed.cause()).isEqualTo(FailureCause.USER);
              assertThat(prepareFailed.machine()).isFalse();
              assertThat(prepareFailed.evidence()).contains(INPUT);
            });
  }

  @Test
  void heldDeviceIsMachineFaultSecondTime() throws Exception {
    var fd = Files.createDirectories(root.resolve("proc/9/fd"));
    Files.writeString(fd.resolveSibling("comm"), "python3\n");
    Files.createSymbolicLink(fd.resolve("3"), Path.of("/dev/vfio/0"));
    var words = "/dev/vfio/0 is held by process 9 (python3)";

    prepare(ATTEMPT, TestJobs.onTpu("true"));
    assertThat(next())
        .isEqualTo(
            new AgentEvent.PrepareFailed(
                ATTEMPT, FailureCause.INFRASTRUCTURE, false, words, AgentEvent.Prospect.OPEN));
    var again = new TaskAttempt(new LeaseRef("j1", 7, 4), 7);
    prepare(again, TestJobs.onTpu("true"));

    assertThat(next())
        .isEqualTo(
            new AgentEvent.PrepareFailed(
                again, FailureCause.INFRASTRUCTURE, true, words, AgentEvent.Prospect.OPEN));
  }

  @Test
  void preparedPartKeepsFreePortUntilStart() throws Exception {
    var place = InetAddress.getLoopbackAddress();
    var jobInfo = TestJobs.onTpu("true");
    try (var taken = new ServerSocket(23_450, 1, place)) {
      var search = new AgentEffect.Prepare.PortSearch(place.getHostAddress(), taken.getLocalPort());
      taskExecutor.prepare(
          new AgentEffect.Prepare(ATTEMPT, jobInfo, item(), List.of(), 1, Optional.of(search)));
      var prepared = (AgentEvent.Prepared) next();
      int port = prepared.contact().port().orElseThrow();

      assertThat(port).isBetween(23_451, 23_549);
      assertThatThrownBy(() -> new ServerSocket(port, 1, place)).isInstanceOf(BindException.class);
      assertThatThrownBy(() -> new Socket(place, port))
          .as("a peer that is early tries again")
          .isInstanceOf(ConnectException.class);
      start(jobInfo, Map.of("MAYFLY_RANK", "1"));
      assertThat(next()).isInstanceOf(AgentEvent.Exited.class);
      new ServerSocket(port, 1, place).close();
    }
  }

  @Test
  void killedPartGivesItsPortBack() throws Exception {
    var place = InetAddress.getLoopbackAddress();
    var search = new AgentEffect.Prepare.PortSearch(place.getHostAddress(), 24_450);
    taskExecutor.prepare(
        new AgentEffect.Prepare(
            ATTEMPT, TestJobs.onTpu("true"), item(), List.of(), 1, Optional.of(search)));
    int port = ((AgentEvent.Prepared) next()).contact().port().orElseThrow();

    taskExecutor.kill(TestJobs.kill(ATTEMPT, Duration.ofSeconds(5)));
    assertThat(next()).isEqualTo(new AgentEvent.Killed(ATTEMPT));
    new ServerSocket(port, 1, place).close();
  }

  @Test
  void foreignAddressHasNoPort() {
    assertThat(GangPort.free("203.0.113.7", 23_000, false)).isEmpty();
    assertThat(GangPort.free("", 23_000, false)).isEmpty();
  }

  private void prepare(TaskAttempt taskAttempt, JobInfo jobInfo) {
    taskExecutor.prepare(
        new AgentEffect.Prepare(taskAttempt, jobInfo, item(), List.of(), 1, Optional.empty()));
  }

  private void start(JobInfo jobInfo, Map<String, String> peers) {
    taskExecutor.start(new AgentEffect.Start(ATTEMPT, jobInfo, item(), List.of(), peers));
  }

  private static TaskItem item() {
    return new TaskItem(7, Optional.of(INPUT), Map.of());
  }

  private AgentEvent next() throws InterruptedException {
    var event = events.poll(30, SECONDS);
    assertThat(event).isNotNull();
    return event instanceof AgentEvent.InputFound ? next() : event;
  }
}
