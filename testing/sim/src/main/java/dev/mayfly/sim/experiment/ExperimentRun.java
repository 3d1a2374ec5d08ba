package dev.mayfly.sim.experiment;

import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.cost.MachineCost;
import dev.mayfly.sim.CostSimulation;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.observation.TaskProcess;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.Scenario;
import dev.mayfly.sim.world.Mutant;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs an experiment once. */
public final class ExperimentRun {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Machines that wait for work end within it, after the last job. */
  private static final Duration MOST_TAIL = Duration.ofHours(1);

  /** Of a job that runs, it is asked every so many minutes why not more of its tasks do. */
  private static final int EXPLAINED = 5;

  /** The longest list of jobs that is read at once. */
  private static final int MOST_JOBS = 1_000;

  private final Experiment experiment;
  private final long seed;
  private final World world;
  private final StatusQueries queries;
  private final WorldEvents events;
  private final List<MachinePlace> places;
  private final WaitLog waits;
  private final List<ExperimentResult.Sample> samples = new ArrayList<>();

  private ExperimentRun(Experiment experiment, long seed) {
    this.experiment = experiment;
    this.seed = seed;
    var cluster = experiment.cluster();
    var jobs = new ArrayList<PlannedJob>();
    for (var job : experiment.jobs()) jobs.add(planned(jobs.size(), job));
    var workers = cluster.pools().stream().mapToInt(PoolSpec::max).sum();
    var scenario =
        new Scenario(
            seed,
            Set.of(),
            CostSimulation.instances(workers),
            cluster,
            Map.of(),
            jobs,
            OperatorActions.publishing(
                experiment.events().commands().toArray(OperatorActions.PlannedCommand[]::new)),
            MINUTE);
    world = new World(scenario, CoreControlPlane::new, Mutant.NONE, OptionalLong.empty(), 0, false);
    queries = new StatusQueries(world.observer());
    waits = new WaitLog(queries);
    var boots = new SimRandom(seed).of("boots");
    world
        .fleet()
        .startTimes(
            order -> experiment.boot(order.pool(), order.name().zone()).map(it -> it.draw(boots)));
    places = MachinePlace.all(experiment);
    events = new WorldEvents(world, experiment, places, seed);
  }

  private static PlannedJob planned(int number, ArrivingJob job) {
    return new PlannedJob(
        number, job.spec(), job.at(), Optional.empty(), Optional.empty(), 0, 0, job.tasks());
  }

  /** Runs it until all jobs have ended and idle machines are gone, or its longest time is over. */
  public static ExperimentResult of(Experiment experiment, long seed) {
    return of(experiment, seed, _ -> {}, End::result);
  }

  /**
   * Runs it as {@link #of(Experiment, long)} does, and asks its control plane.
   *
   * @param watcher is told how far it is, each virtual minute
   * @param reader what is read of the end
   */
  public static <T> T of(
      Experiment experiment, long seed, Consumer<Passed> watcher, Function<End, T> reader) {
    var run = new ExperimentRun(experiment, seed);
    var result = run.run(watcher);
    return reader.apply(new End(result, run.queries, run.world.time().instant()));
  }

  /**
   * The end of a run.
   *
   * @param queries what its control plane answers then
   * @param now in the time of the run
   */
  public record End(ExperimentResult result, StatusQueries queries, Instant now) {}

  private ExperimentResult run(Consumer<Passed> watcher) {
    events.plan();
    world.begin();
    events.preemptLater();
    Optional<Duration> end = Optional.empty();
    while (end.isEmpty() && passed().compareTo(experiment.longest()) < 0) {
      world.advanceTo(world.time().instant().plus(MINUTE));
      var jobs = jobs();
      look(jobs);
      watcher.accept(Passed.of(passed(), jobs));
      end = end(jobs);
    }
    var took = end.orElseGet(this::passed);
    var tail = passed().plus(MOST_TAIL);
    while (end.isPresent() && idleMachines() && passed().compareTo(tail) < 0) {
      world.advanceTo(world.time().instant().plus(MINUTE));
      look(List.of());
    }
    return result(took, end.isPresent());
  }

  private Duration passed() {
    return RunTime.since(world.time().instant());
  }

  private List<JobStatus> jobs() {
    return world.users().clusterExists(experiment.cluster().name())
        ? queries.jobs(experiment.cluster().name(), MOST_JOBS)
        : List.of();
  }

  /** Documents that the control plane refused, with the reason. */
  private List<String> refusals() {
    return queries.rejections(MOST_JOBS).stream()
        .map(refused -> RunTime.told(refusal(refused.about(), refused.errors())))
        .toList();
  }

  /** What is wrong may begin with what it is about, which is then not said twice. */
  private static String refusal(String about, List<String> errors) {
    var why = String.join("; ", errors);
    return why.startsWith(about + ": ") ? why : about + ": " + why;
  }

  private Optional<Duration> end(List<JobStatus> jobs) {
    if (passed().compareTo(experiment.events().last()) <= 0) return Optional.empty();
    if (jobs.size() + refusals().size() < experiment.jobs().size()
        || jobs.stream().anyMatch(job -> job.endedAt().isEmpty())) return Optional.empty();
    return jobs.stream()
        .flatMap(job -> job.endedAt().stream())
        .map(RunTime::since)
        .max(Duration::compareTo);
  }

  private boolean idleMachines() {
    var kept = experiment.clusters().getLast().pools().stream().mapToInt(PoolSpec::min).sum();
    return world.fleet().machines().size() > kept;
  }

  private void look(List<JobStatus> jobs) {
    var running = running();
    for (var job : jobs) {
      if (job.endedAt().isPresent()) continue;
      var runs = running.getOrDefault(job.uid(), 0L);
      if (runs == 0) job.reason().ifPresent(reason -> waits.none(job, reason));
      else if (job.totals().ready() + job.totals().leased() > runs
          && samples.size() % EXPLAINED == 0) waits.some(job, EXPLAINED);
    }
    var counts = places.stream().map(this::machines).toList();
    var most = world.truth().atOnce().lately();
    var all = byName(jobs);
    samples.add(
        new ExperimentResult.Sample(
            passed(),
            counts,
            each(job -> running.getOrDefault(uid(all, job), 0L)),
            each(job -> most.getOrDefault(uid(all, job), 0L)),
            each(job ->
                Optional.ofNullable(all.get(job.spec().address()))
                    .map(it -> it.totals().done())
                    .orElse(0L))));
  }

  private static String uid(Map<String, JobStatus> all, ArrivingJob job) {
    var known = all.get(job.spec().address());
    return known == null ? "" : known.uid();
  }

  private <T> List<T> each(Function<ArrivingJob, T> value) {
    return experiment.jobs().stream().map(value).toList();
  }

  private static Map<String, JobStatus> byName(List<JobStatus> jobs) {
    return jobs.stream()
        .collect(Collectors.toMap(JobStatus::address, Function.identity(), (newest, _) -> newest));
  }

  private int machines(MachinePlace place) {
    return (int) world.fleet().machines().stream().filter(m -> place.has(m)).count();
  }

  /** Running tasks by job; a gang is one. */
  private Map<String, Long> running() {
    return world.truth().running().stream()
        .map(TaskProcess::attempt)
        .collect(Collectors.toMap(TaskAttempt::toString, it -> it.lease().job(), (it, _) -> it))
        .values()
        .stream()
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  private ExperimentResult result(Duration took, boolean complete) {
    var name = experiment.cluster().name();
    var since = Optional.of(LocalDate.ofInstant(World.START, ZoneOffset.UTC));
    var cost = queries.cost(name, CostBy.JOB, since, Optional.empty());
    var all = byName(jobs());
    return new ExperimentResult(
        seed,
        took,
        complete,
        experiment.jobs().stream()
            .map(job ->
                job(job, Optional.ofNullable(all.get(job.spec().address())), cost.groups(), took))
            .toList(),
        places.stream().map(this::result).toList(),
        cost.total(),
        refusals(),
        samples);
  }

  private ExperimentResult.Job job(
      ArrivingJob planned, Optional<JobStatus> found, List<CostGroup> costs, Duration took) {
    var deadline = planned.deadline();
    if (found.isEmpty())
      return new ExperimentResult.Job(
          planned.spec().address(),
          planned.at(),
          Optional.empty(),
          Optional.empty(),
          "not submitted",
          0,
          0,
          0,
          0,
          Map.of(),
          Optional.empty(),
          deadline,
          Optional.empty(),
          0,
          List.of(),
          false,
          List.of(),
          MachineCost.NONE);
    var job = queries.job(experiment.cluster().name(), found.get().uid());
    var ended = job.endedAt().map(RunTime::since);
    return new ExperimentResult.Job(
        job.address(),
        planned.at(),
        world.truth().firstBegun(job.uid()).map(RunTime::since),
        ended,
        job.state(),
        job.tasks(),
        job.totals().done(),
        job.totals().failed(),
        Stream.of(FailureCause.PREEMPTED, FailureCause.LOST, FailureCause.OUTRANKED)
            .mapToLong(cause -> job.attempts().getOrDefault(cause, 0L))
            .sum(),
        job.attempts(),
        job.reason().map(RunTime::told),
        deadline,
        deadline.map(ended.orElse(took)::minus).filter(Duration::isPositive),
        world.truth().atOnce().most(job.uid()),
        zones(world.places().workers(job.uid())),
        apart(job.uid()),
        waits.of(job),
        costs.stream()
            .filter(group -> group.uid().equals(Optional.of(job.uid())))
            .map(CostGroup::total)
            .findFirst()
            .orElse(MachineCost.NONE));
  }

  private List<ExperimentResult.Place> zones(Set<String> workers) {
    return world.fleet().ever().stream()
        .filter(m -> workers.contains(m.labels().getOrDefault(CloudMachine.WORKER, "")))
        .map(m ->
            new ExperimentResult.Place(
                m.labels().getOrDefault(CloudMachine.POOL, ""), m.name().zone()))
        .distinct()
        .toList();
  }

  private boolean apart(String job) {
    for (var gang : world.places().gangs(job))
      if (zones(gang).stream().map(ExperimentResult.Place::zone).distinct().count() > 1)
        return true;
    return false;
  }

  private ExperimentResult.Machines result(MachinePlace place) {
    var ever = world.fleet().ever().stream().filter(m -> place.has(m)).toList();
    var millis = ever.stream().mapToLong(m -> m.billed(world.time().instant()).toMillis()).sum();
    return new ExperimentResult.Machines(
        place.pool().name(),
        place.zone(),
        ever.size(),
        (int) ever.stream().filter(m -> events.isPreempted(m)).count(),
        world.fleet().refusals().stockouts(place.pool().name(), place.zone()),
        MachinesAtOnce.most(ever, samples, places.indexOf(place)),
        machines(place),
        (double) millis / Duration.ofHours(1).toMillis());
  }
}
