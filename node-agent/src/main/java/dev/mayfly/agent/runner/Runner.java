package dev.mayfly.agent.runner;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.metrics.MachineProcesses;
import dev.mayfly.agent.process.ProcessExit;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.RunningProcess.Sig;
import dev.mayfly.agent.process.kill.ProcessTreeKiller.AttemptProcesses;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.wire.RunnerAnswer;
import dev.mayfly.wire.RunnerTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One program that is given task after task. Whatever it does while it has a task is that task's: a
 * crash, an answer that is none, more than one answer. It never has two.
 *
 * <p>Starting → busy with a task → idle → busy … → ended. Only {@link RunnerPool} ends one that is
 * idle; of one that is busy its attempt ends the processes, as those of a command.
 */
public final class Runner implements AnswerReader.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Runner.class);

  private final String id;
  private final RunnerKey key;
  private final TaskEnvironment.Runner rules;
  private final AttemptDir dir;
  private final RunnerPool pool;
  private final TaskWriter tasks;
  private final MarkedPipe answers;
  private final MarkedPipe output;
  private final RunnerLog log;

  private Optional<RunningProcess> process = Optional.empty();
  private Optional<ResourceLimits.Bounds> bounds = Optional.empty();
  private Optional<WarmTask> current = Optional.empty();
  private volatile Optional<ProcessExit> exit = Optional.empty();
  private String lastAnswered = "";
  private int given;
  private boolean ending;
  private boolean asked;
  private boolean closed;

  /**
   * @param id the marker of its processes
   * @param dir where it starts, with the job's code in it
   */
  Runner(String id, RunnerKey key, TaskEnvironment.Runner rules, AttemptDir dir, RunnerPool pool)
      throws IOException {
    this.id = id;
    this.key = key;
    this.rules = rules;
    this.dir = dir;
    this.pool = pool;
    this.tasks = new TaskWriter(MarkedPipe.make(dir.folder().resolve("tasks")));
    this.answers = MarkedPipe.make(dir.folder().resolve("answers"));
    this.output = MarkedPipe.make(dir.folder().resolve("output"));
    this.log = new RunnerLog(output);
    thread("log", log);
  }

  private void thread(String what, Runnable work) {
    // A read of a pipe would block a virtual thread's carrier.
    Thread.ofPlatform().daemon().name(id + "/" + what).stackSize(256 << 10).start(work);
  }

  public String id() {
    return id;
  }

  RunnerKey key() {
    return key;
  }

  public AttemptDir dir() {
    return dir;
  }

  /** Its standard output and standard error. */
  public Path output() {
    return output.path();
  }

  /** The pipes that its process opens as descriptors 3, for tasks, and 4, for answers. */
  public Path tasks() {
    return tasks.path();
  }

  public Path answers() {
    return answers.path();
  }

  synchronized AttemptProcesses processes() {
    return new AttemptProcesses(id, process, false);
  }

  synchronized long pid() {
    return process.map(RunningProcess::pid).orElse(-1L);
  }

  /** The bounds of its processes, before they start. */
  public synchronized void setBounds(ResourceLimits.Bounds limits) {
    bounds = Optional.of(limits);
  }

  /** Its process runs. */
  public void started(RunningProcess running) {
    synchronized (this) {
      process = Optional.of(running);
    }
    dir.recordFirstProcess(running.pid());
    thread("answers", new AnswerReader(answers, this));
    var unused = running.exit().thenAcceptAsync(this::exited, pool.threads());
  }

  private void exited(ProcessExit how) {
    synchronized (this) {
      exit = Optional.of(how);
      ending = true;
    }
    try {
      answers.mark();
    } catch (IOException e) {
      LOG.warn("end of a runner not told runner={} reason={}", id, e.toString());
    }
  }

  /**
   * Gives it a task.
   *
   * @param taskDir of the attempt
   * @return empty if the runner has ended
   */
  public synchronized Optional<Given> give(RunnerTask task, AttemptDir taskDir) {
    if (ending) return Optional.empty();
    var line = TaskWriter.line(task);
    var warm = new WarmTask(this, task.task(), taskDir);
    current = Optional.of(warm);
    given++;
    tasks.begin(line);
    log.begin(taskDir.log());
    if (!tasks.writeAtOnce(line)) thread("task", () -> tasks.write(line));
    return Optional.of(new Given(warm, warm.within(bounds.orElseThrow())));
  }

  /** A task in a runner, and its bounds. */
  public record Given(RunningProcess task, ResourceLimits.Bounds bounds) {}

  void signal(Sig signal) {
    end();
    running().ifPresent(it -> it.signal(signal));
  }

  private synchronized Optional<RunningProcess> running() {
    return process;
  }

  /** It gets no further task, and reads the end of its tasks. */
  synchronized void end() {
    ending = true;
    asked = true;
    tasks.close();
  }

  @Override
  public void answered(String line, boolean more) {
    var task = current();
    var shown = AnswerReader.quoted(line);
    if (task.isEmpty()) {
      unasked("answered without a task: " + shown);
      return;
    }
    try {
      var answer = RunnerAnswer.of(line);
      if (answer.task().equals(task.get().name())) finish(task.get(), answer, more);
      else if (answer.task().equals(lastAnswered)) {
        task.get().neverBegan();
        fail(task.get(), "answered again for %s; this task runs again".formatted(lastAnswered));
      } else fail(task.get(), "answered for another task, %s: %s".formatted(answer.task(), shown));
    } catch (InvalidInputException e) {
      fail(task.get(), "answered %s, which is no answer: %s".formatted(shown, e.getMessage()));
    }
  }

  @Override
  public void answeredTooMuch() {
    var what = "wrote %d KB without an end of the line".formatted(AnswerReader.LONGEST >> 10);
    current().ifPresentOrElse(task -> fail(task, what), () -> unasked(what));
  }

  private synchronized Optional<WarmTask> current() {
    return current.filter(task -> !task.exit().isDone());
  }

  /**
   * @param more whether it wrote more than the answer, so that nobody knows what it does
   */
  private void finish(WarmTask task, RunnerAnswer answer, boolean more) {
    endLog();
    answer.message().filter(it -> !it.isBlank()).ifPresent(task.dir()::say);
    var stays = !more && staysAfter(task, answer);
    if (!stays) end();
    lastAnswered = task.name();
    task.end(new ProcessExit.Code(answer.code()), stays);
  }

  private boolean staysAfter(WarmTask task, RunnerAnswer answer) {
    synchronized (this) {
      if (ending || answer.isLast()) return false;
      if (rules.restartAfter().filter(most -> given >= most).isPresent()) return false;
    }
    if (rules.restartAbove().isEmpty()) return true;
    var memory = new MachineProcesses(Path.of("/proc")).memoryOfTree(pid());
    if (memory <= rules.restartAbove().get()) return true;
    task.dir()
        .say(
            "the runner is started again: after this task it holds %s, more than runner.restartAbove"
                .formatted(HumanAmounts.gib(memory)));
    return false;
  }

  /** What it wrote is no answer of the task: nobody knows what it does, so it is ended. */
  private void fail(WarmTask task, String what) {
    end();
    endLog();
    task.dir().say("the runner " + what);
    task.end(new ProcessExit.Code(1), false);
  }

  /** It has no task, so no task fails. What one writes that is being ended concerns nobody. */
  private void unasked(String what) {
    synchronized (this) {
      if (asked) return;
    }
    end();
    LOG.warn("runner {} {}", id, what);
    pool.ended(this);
  }

  @Override
  public void ended() {
    var task = current();
    if (task.isEmpty()) {
      pool.ended(this);
      return;
    }
    endLog();
    var how = exit.orElse(new ProcessExit.Signal(9));
    if (isUnread()) {
      task.get().dir().say("the runner had ended by itself before it read this task");
      task.get().neverBegan();
    } else if (how instanceof ProcessExit.Code(int code))
      task.get()
          .dir()
          .say(
              "the runner ended with exit code %d before it answered for this task"
                  .formatted(code));
    // Its 0 says nothing about the task.
    task.get().end(how.ok() ? new ProcessExit.Code(1) : how, false);
  }

  /**
   * Whether a program that has answered for others has ended without a look at its last task, which
   * is not at fault then.
   */
  private synchronized boolean isUnread() {
    return given > 1 && !asked && tasks.isUnread();
  }

  private void endLog() {
    try {
      log.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Its attempt has ended, and if it does not go on, its processes have. */
  void release(WarmTask task) {
    boolean idle;
    synchronized (this) {
      if (current.filter(task::equals).isEmpty()) return;
      current = Optional.empty();
      idle = task.goesOn() && !ending;
    }
    if (idle) pool.idle(this);
    else if (task.goesOn()) pool.ended(this);
    else close();
  }

  /** No process of it is left; a repeat does nothing. */
  public void close() {
    synchronized (this) {
      if (closed) return;
      closed = true;
      end();
      bounds.ifPresent(ResourceLimits.Bounds::close);
    }
    log.close();
    pool.forget(this);
    try {
      // The reader closes the pipe of a process that was started.
      if (running().isEmpty()) answers.close();
      dir.close();
    } catch (IOException e) {
      LOG.warn("folder not deleted folder={} reason={}", dir.folder(), e.toString());
    }
  }
}
