package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.catalog.FlexStart;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.Veto;
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
  private final List<Worker> workers;
  private final List<Veto> slices = new ArrayList<>();
  private final List<Worker> made = new ArrayList<>();
  private final Map<String, List<Instant>> queued = new LinkedHashMap<>();
  private final List<Instant> requested = new ArrayList<>();
  private final Map<String, List<Instant>> delayed = new LinkedHashMap<>();

  private BootingWorkers(String pool, List<Worker> workers, WaitingFacts facts) {
    this.pool = pool;
    this.workers = workers;
    this.facts = facts;
  }

  /** Empty if the pool has none. */
  static List<Veto> of(String pool, ClusterSnapshot snapshot, LateBoots late, WaitingFacts facts) {
    var booting = new BootingWorkers(pool, snapshot.workers(), facts);
    for (var worker : snapshot.workers())
      if (worker.pool().equals(pool) && !late.isLate(worker)) booting.add(worker);
    var vetoes = new ArrayList<Veto>();
    late.all().stream().filter(it -> it.pool().equals(pool)).forEach(vetoes::add);
    vetoes.addAll(booting.vetoes());
    return vetoes;
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
      case WorkerState.Ready _,
          WorkerState.Draining _,
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
      vetoes.add(new ComingVeto.Booting(pool, made.size(), since, BootTime.usual(pool, workers)));
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
}
