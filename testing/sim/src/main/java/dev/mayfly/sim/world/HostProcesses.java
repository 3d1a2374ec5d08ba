package dev.mayfly.sim.world;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fault.HostRunners;
import dev.mayfly.sim.observation.EndOrder;
import dev.mayfly.sim.observation.TaskProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The task processes of one machine. They belong to the machine and not to its agent: they outlive
 * an agent that dies, until the next one kills them.
 */
public final class HostProcesses {
  /** How soon the agent sees that a program has ended. */
  private static final Duration UNREAD = Duration.ofMillis(5);

  private static final class Running {
    final AgentEffect.Start start;
    final TaskProcess truth;
    final TaskBehavior.PlannedRun plannedRun;
    final Instant began;

    /** Whether the disk was full while it ran. */
    boolean spoiled;

    /** Whether its agent asked it to end after its timeout, however it ends then. */
    boolean outOfTime;

    Running(
        AgentEffect.Start start,
        TaskProcess truth,
        TaskBehavior.PlannedRun plannedRun,
        Instant began) {
      this.began = began;
      this.start = start;
      this.truth = truth;
      this.plannedRun = plannedRun;
    }
  }

  private final World world;
  private final String worker;
  private final int host;
  private final int hosts;
  private final SimProcess simProcess;
  private final Map<String, Running> running = new TreeMap<>();
  private final Map<String, String> left = new TreeMap<>();
  private Consumer<AgentEvent> agent = event -> {};
  private final SimRandom simRandom;
  private final HostRunners hostRunners;
  private int number;

  HostProcesses(World world, String worker, int host, int hosts, SimProcess simProcess) {
    this.world = world;
    this.worker = worker;
    this.host = host;
    this.hosts = hosts;
    this.simProcess = simProcess;
    hostRunners = new HostRunners(world.weather());
    simRandom = world.dice().of("kill " + worker + (host == 0 ? "" : "/" + host));
  }

  /** Sets the receiver of process events. */
  void listen(Consumer<AgentEvent> next) {
    agent = next;
  }

  void start(AgentEffect.Start start) {
    var taskAttempt = start.attempt();
    var meeting = start.peers().getOrDefault("JAX_COORDINATOR_ADDRESS", "");
    var truth = truth(taskAttempt, start.jobInfo().spec(), start.gpus(), meeting);
    var habit = world.habits(taskAttempt.lease().job()).of(taskAttempt, truth.gang());
    var process = new Running(start, truth, habit, world.time().instant());
    running.put(taskAttempt.toString(), process);
    world.began(truth);
    if (!truth.gang() && hostRunners.isUnread(start)) {
      world.time().after(UNREAD, simProcess, () -> neverRead(process));
      return;
    }
    var runs = habit.runs().plus(lingers(start));
    if (!habit.hangs()) world.time().after(runs, simProcess, () -> exit(process));
    behavior(process).checkpoints().ifPresent(every -> storeAfter(every, process));
  }

  private TaskBehavior behavior(Running process) {
    return world.habits(process.truth.attempt().lease().job());
  }

  /** Its program had ended: by the agent's word the machine's fault. */
  private void neverRead(Running process) {
    if (running.get(name(process)) != process) return;
    end(process, false);
    agent.accept(
        new AgentEvent.Exited(
            process.start.attempt(),
            137,
            FailureCause.INFRASTRUCTURE,
            "the runner had ended by itself before it read this task"));
  }

  /** Stores a checkpoint, and again as long as the process runs. */
  private void storeAfter(Duration every, Running process) {
    world
        .time()
        .after(
            every,
            simProcess,
            () -> {
              if (running.get(name(process)) != process) return;
              behavior(process).keep(process.truth.attempt().index(), every);
              agent.accept(
                  new AgentEvent.CheckpointStored(process.truth.attempt(), world.time().instant()));
              storeAfter(every, process);
            });
  }

  /** The duration in a gang's command {@code work PT20M}: how long after the others rank 0 ends. */
  private static Duration lingers(AgentEffect.Start start) {
    var command = start.jobInfo().spec().run().command();
    var first = start.peers().getOrDefault("MAYFLY_RANK", "").equals("0");
    var lingers = first && command.getLast().startsWith("PT");
    return lingers ? Duration.parse(command.getLast()) : Duration.ZERO;
  }

  private TaskProcess truth(
      TaskAttempt taskAttempt, JobSpec spec, List<Integer> gpus, String meeting) {
    var together = Math.max(hosts, spec.gang());
    return new TaskProcess(
        worker, host, together, taskAttempt, spec.resources(), gpus, spec.exclusive(), meeting);
  }

  /** The host has everything that the start needs. */
  void prepared(AgentEffect.Prepare prepare) {
    world.checks().prepared(truth(prepare.attempt(), prepare.jobInfo().spec(), prepare.gpus(), ""));
  }

  /** The disk is full from now on. */
  void spoilOutputs() {
    for (var process : running.values()) {
      process.spoiled = true;
      world.checks().spoiled(process.truth);
    }
  }

  private void exit(Running process) {
    if (running.get(name(process)) != process) return;
    world.checks().exited(process.truth, process.plannedRun.exitCode());
    var taskAttempt = process.start.attempt();
    var habit = process.plannedRun;
    if (habit.exitCode() == 0 && habit.leavesOutput()) leave(process);
    // While its host was suspended it may have run out of time; its agent may see that first.
    var late = process.outOfTime || overdue(process);
    end(process, habit.exitCode() != 0 || missesOutput(process) || late);
    if (!habit.outOfMemory()) hostRunners.answered(process.start);
    var failureCause = habit.outOfMemory() ? FailureCause.OUT_OF_MEMORY : FailureCause.USER;
    agent.accept(
        new AgentEvent.Exited(
            taskAttempt, habit.exitCode(), failureCause, "exit " + habit.exitCode()));
  }

  /** Whether it left no output although its job requires one. */
  private static boolean missesOutput(Running process) {
    var wanted = process.start.jobInfo().spec().data().outputsRequired();
    return wanted && publishes(process) && !process.plannedRun.leavesOutput();
  }

  /** In a gang only the first host publishes. */
  private static boolean publishes(Running process) {
    return process.start.peers().getOrDefault("MAYFLY_RANK", "0").equals("0");
  }

  private void leave(Running process) {
    var start = process.start;
    if (!publishes(process)) return;
    var text = process.spoiled ? "" : process.truth + " #" + ++number;
    if (start.jobInfo().spec().data().outputs() == OutputMode.WRITTEN)
      world
          .objects()
          .overwrite(
              ObjectUrl.of(TaskCommand.output(start.jobInfo(), start.item())),
              ObjectStore.Content.of(text.getBytes(StandardCharsets.UTF_8)),
              Map.of());
    else left.put(name(process), text);
  }

  /** The attempt's output for the agent to upload. */
  java.util.Optional<String> left(TaskAttempt taskAttempt) {
    return java.util.Optional.ofNullable(left.get(taskAttempt.toString()));
  }

  void discardOutput(TaskAttempt taskAttempt) {
    left.remove(taskAttempt.toString());
  }

  public void kill(AgentEffect.Kill kill) {
    var process = running.get(kill.attempt().toString());
    if (process == null) {
      world
          .time()
          .after(
              Duration.ofMillis(1),
              simProcess,
              () -> agent.accept(new AgentEvent.Killed(kill.attempt())));
      return;
    }
    var due = process.start.jobInfo().spec().run().grace();
    world.endOrdered(new EndOrder(process.truth, kill.grace(), due, kill.stopReason()));
    process.outOfTime |= overdue(process);
    world.killAsked(process.truth, overdue(process));
    var obeys = simRandom.chance(0.7);
    var slow = world.weather().strikes(Fault.KILL_SLOW);
    var takes = obeys ? Duration.ofMillis(30) : kill.grace().plusMillis(20);
    if (slow) takes = takes.plus(world.weather().dice(Fault.KILL_SLOW).seconds(1, 20));
    world.time().after(takes, simProcess, () -> killed(process));
  }

  /** Reports it as killed, even if it still runs. */
  public void pretendKilled(TaskAttempt taskAttempt) {
    agent.accept(new AgentEvent.Killed(taskAttempt));
  }

  private void killed(Running process) {
    if (running.get(name(process)) == process) end(process, overdue(process));
    agent.accept(new AgentEvent.Killed(process.start.attempt()));
  }

  /** Whether it ran longer than its timeout, by a clock that may be fast by 500 ppm. */
  private boolean overdue(Running process) {
    var spec = process.start.jobInfo().spec();
    var timeout = spec.run().timeout();
    // The other ranks have ended when a lingering one goes on alone.
    var settle = world.habits(process.truth.attempt().lease().job()).settle();
    var settled = settle.map(process.plannedRun.runs()::plus).orElse(timeout);
    var longest = settled.compareTo(timeout) < 0 ? settled : timeout;
    var slack = longest.dividedBy(1_000);
    return !process.began.plus(longest).minus(slack).isAfter(world.time().instant());
  }

  private void end(Running process, boolean ownFault) {
    running.remove(name(process));
    world.ended(process.truth, ownFault);
  }

  /** Kills everything, as the next agent's first act. */
  void killAll() {
    for (var process : List.copyOf(running.values())) end(process, false);
    hostRunners.clear();
    left.clear();
  }

  private static String name(Running process) {
    return process.start.attempt().toString();
  }

  boolean has(TaskAttempt taskAttempt) {
    return running.containsKey(taskAttempt.toString());
  }

  /** The failure of a start, with its cause. */
  static AgentEvent startFailed(TaskAttempt taskAttempt) {
    return new AgentEvent.StartFailed(
        taskAttempt,
        FailureCause.INFRASTRUCTURE,
        false,
        "the object store did not answer",
        AgentEvent.Prospect.OPEN);
  }
}
