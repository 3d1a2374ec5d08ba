package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.catalog.FlexStart;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The machines of a pool that are not there yet, by what each waits for. */
final class BootingWorkers {
  private final String pool;
  private final WaitingFacts facts;
  private final List<Veto> slices = new ArrayList<>();
  private final List<Worker> made = new ArrayList<>();
  private final List<Duration> times = new ArrayList<>();
  private final Map<String, List<Instant>> queued = new LinkedHashMap<>();
  private final List<Instant> requested = new ArrayList<>();
  private final Map<String, List<Instant>> delayed = new LinkedHashMap<>();

  private BootingWorkers(String pool, WaitingFacts facts) {
    this.pool = pool;
    this.facts = facts;
  }

  /** Empty if the pool has none. */
  static List<Veto> of(String pool, List<Worker> workers, WaitingFacts facts) {
    var booting = new BootingWorkers(pool, facts);
    for (var worker : workers) if (worker.pool().equals(pool)) booting.add(worker);
    return booting.vetoes();
  }

  private void add(Worker worker) {
    switch (worker.state()) {
      case WorkerState.Booting _ when FlexStart.since(worker).isPresent() ->
          requested.add(FlexStart.since(worker).get());
      case WorkerState.Booting b when b.queue().isPresent() ->
          add(queued, b.queue().get().state(), b.queue().get().since());
      case WorkerState.Booting b -> made(worker, b);
      case WorkerState.Launching _ when worker.machineProblem().isPresent() ->
          add(delayed, worker.machineProblem().get().text(), worker.createdAt());
      case WorkerState.Launching _ -> made.add(worker);
      case WorkerState.Ready r -> times.add(Duration.between(worker.createdAt(), r.since()));
      case WorkerState.Draining _,
          WorkerState.Drained _,
          WorkerState.Lost _,
          WorkerState.Gone _ -> {}
    }
  }

  private static void add(Map<String, List<Instant>> map, String why, Instant since) {
    map.computeIfAbsent(why, _ -> new ArrayList<>()).add(since);
  }

  /** A slice some of whose hosts have reported is told by itself. */
  private void made(Worker worker, WorkerState.Booting state) {
    var arrivals = Optional.ofNullable(facts.arrivals().get(worker.name()));
    var until = arrivals.flatMap(a -> a.until(state, facts.hostsAwaited()));
    if (until.isEmpty() || arrivals.orElseThrow().missing().isEmpty()) made.add(worker);
    else
      slices.add(
          new ComingVeto.HostsAwaited(
              worker.name(),
              arrivals.get().hosts(),
              arrivals.get().missing(),
              arrivals.get().first().orElseThrow(),
              until.get()));
  }

  private List<Veto> vetoes() {
    var vetoes = new ArrayList<Veto>(slices);
    if (!made.isEmpty()) {
      var since = first(made.stream().map(Worker::createdAt).toList());
      vetoes.add(new ComingVeto.Booting(pool, made.size(), since, usual()));
    }
    if (!requested.isEmpty()) {
      var since = first(requested);
      var until = FlexStart.until(since);
      vetoes.add(new ComingVeto.Requested(pool, requested.size(), since, until));
    }
    queued.forEach((state, since) ->
        vetoes.add(new ComingVeto.Queued(pool, since.size(), first(since), state)));
    delayed.forEach((said, since) ->
        vetoes.add(new ComingVeto.OrderDelayed(pool, since.size(), first(since), said)));
    return vetoes;
  }

  private static Instant first(List<Instant> times) {
    return times.stream().min(Instant::compareTo).orElseThrow();
  }

  /** From the order of a machine to its agent's first report: the median of the ready ones. */
  private Optional<Duration> usual() {
    var sorted = times.stream().filter(Duration::isPositive).sorted().toList();
    return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
  }
}
