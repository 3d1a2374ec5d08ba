package dev.mayfly.sim;

import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentEvent;
import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.agent.Invocation;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import dev.mayfly.sim.check.Proc;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Scope;
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
final class Processes {
  private static final class Running {
    final AgentEffect.Start start;
    final Proc truth;
    final TaskHabits.Habit habit;
    final Instant began;

    Running(AgentEffect.Start start, Proc truth, TaskHabits.Habit habit, Instant began) {
      this.began = began;
      this.start = start;
      this.truth = truth;
      this.habit = habit;
    }
  }

  private final World world;
  private final String worker;
  private final int host;
  private final int hosts;
  private final Scope scope;
  private final Map<String, Running> running = new TreeMap<>();
  private final Map<String, String> left = new TreeMap<>();
  private Consumer<AgentEvent> agent = event -> {};
  private final Dice dice;
  private int number;

  Processes(World world, String worker, int host, int hosts, Scope scope) {
    this.world = world;
    this.worker = worker;
    this.host = host;
    this.hosts = hosts;
    this.scope = scope;
    dice = world.dice().of("kill " + worker + (host == 0 ? "" : "/" + host));
  }

  /** Whom the ends of processes are told from now on. */
  void tell(Consumer<AgentEvent> next) {
    agent = next;
  }

  void start(AgentEffect.Start start) {
    var attempt = start.attempt();
    var truth = truth(attempt, start.sheet().spec(), start.gpus());
    var habit = world.habits(attempt.lease().job()).of(attempt, truth.gang());
    var process = new Running(start, truth, habit, world.time().instant());
    running.put(attempt.toString(), process);
    world.began(truth);
    var runs = habit.runs().plus(lingers(start));
    if (!habit.hangs()) world.time().after(runs, scope, () -> exit(process));
  }

  /** The command {@code work PT20M} of a gang: rank 0 ends so long after the others. */
  private static Duration lingers(AgentEffect.Start start) {
    var command = start.sheet().spec().run().command();
    var first = start.peers().getOrDefault("MAYFLY_RANK", "").equals("0");
    var lingers = first && command.getLast().startsWith("PT");
    return lingers ? Duration.parse(command.getLast()) : Duration.ZERO;
  }

  private Proc truth(Attempt attempt, JobSpec spec, List<Integer> gpus) {
    var together = Math.max(hosts, spec.gang());
    return new Proc(worker, host, together, attempt, spec.resources(), gpus, spec.exclusive());
  }

  /** Everything that a start needs is here. */
  void prepared(AgentEffect.Prepare prepare) {
    world.checks().prepared(truth(prepare.attempt(), prepare.sheet().spec(), prepare.gpus()));
  }

  private void exit(Running process) {
    if (running.get(name(process)) != process) return;
    world.checks().exited(process.truth, process.habit.exitCode());
    var attempt = process.start.attempt();
    var habit = process.habit;
    if (habit.exitCode() == 0 && habit.leavesOutput()) leave(process);
    end(process, habit.exitCode() != 0 || missesOutput(process));
    var cause = habit.outOfMemory() ? Cause.OUT_OF_MEMORY : Cause.USER;
    agent.accept(
        new AgentEvent.Exited(attempt, habit.exitCode(), cause, "exit " + habit.exitCode()));
  }

  /** Whether it left nothing where its job wants something. */
  private static boolean missesOutput(Running process) {
    var wanted = process.start.sheet().spec().data().outputsRequired();
    return wanted && publishes(process) && !process.habit.leavesOutput();
  }

  /** Of a gang only the first host. */
  private static boolean publishes(Running process) {
    return process.start.peers().getOrDefault("MAYFLY_RANK", "0").equals("0");
  }

  private void leave(Running process) {
    var start = process.start;
    if (!publishes(process)) return;
    var text = process.truth + " #" + ++number;
    if (start.sheet().spec().data().outputs() == JobSpec.Outputs.WRITTEN)
      world
          .objects()
          .overwrite(
              Url.of(Invocation.output(start.sheet(), start.item())),
              Objects.Content.of(text.getBytes(StandardCharsets.UTF_8)),
              Map.of());
    else left.put(name(process), text);
  }

  /** What the attempt left for the agent to upload. */
  java.util.Optional<String> left(Attempt attempt) {
    return java.util.Optional.ofNullable(left.get(attempt.toString()));
  }

  void drop(Attempt attempt) {
    left.remove(attempt.toString());
  }

  void kill(AgentEffect.Kill kill) {
    var process = running.get(kill.attempt().toString());
    if (process == null) {
      world
          .time()
          .after(
              Duration.ofMillis(1),
              scope,
              () -> agent.accept(new AgentEvent.Killed(kill.attempt())));
      return;
    }
    world.killAsked(process.truth, overdue(process));
    var obeys = dice.chance(0.7);
    var slow = world.weather().strikes(Fault.KILL_SLOW);
    var takes = obeys ? Duration.ofMillis(30) : kill.grace().plusMillis(20);
    if (slow) takes = takes.plus(world.weather().dice(Fault.KILL_SLOW).seconds(1, 20));
    world.time().after(takes, scope, () -> killed(process));
  }

  /** Says that it is gone, whether or not it is. */
  void pretendKilled(Attempt attempt) {
    agent.accept(new AgentEvent.Killed(attempt));
  }

  private void killed(Running process) {
    if (running.get(name(process)) == process) end(process, overdue(process));
    agent.accept(new AgentEvent.Killed(process.start.attempt()));
  }

  /** Whether it ran for longer than its user allowed, by a clock that may go fast by 500 ppm. */
  private boolean overdue(Running process) {
    var spec = process.start.sheet().spec();
    var timeout = spec.run().timeout();
    // The others have ended when one that lingers begins to.
    var settle = world.habits(process.truth.attempt().lease().job()).settle();
    var settled = settle.map(process.habit.runs()::plus).orElse(timeout);
    var longest = settled.compareTo(timeout) < 0 ? settled : timeout;
    var slack = longest.dividedBy(1_000);
    return !process.began.plus(longest).minus(slack).isAfter(world.time().instant());
  }

  private void end(Running process, boolean ownFault) {
    running.remove(name(process));
    world.ended(process.truth, ownFault);
  }

  /** The next agent's first act. */
  void killAll() {
    for (var process : List.copyOf(running.values())) end(process, false);
    left.clear();
  }

  private static String name(Running process) {
    return process.start.attempt().toString();
  }

  boolean has(Attempt attempt) {
    return running.containsKey(attempt.toString());
  }

  /** Whose fault a failure to start is. */
  static AgentEvent startFailed(Attempt attempt) {
    return new AgentEvent.StartFailed(
        attempt, Cause.INFRASTRUCTURE, false, "the object store did not answer");
  }
}
