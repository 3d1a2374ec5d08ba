package dev.mayfly.core.agent;

import dev.mayfly.core.agent.JobItems.Chunk;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.port.Places;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * From a grant to the first start: the job's sheet, its task lists, and a look at what is done
 * already.
 */
final class Opening {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

  private final Moment moment;
  private final JobItems items;
  private final Tasks tasks;
  private final Function<String, Optional<JobSheet>> sheets;
  private final Map<Chunk, Integer> fetching = new HashMap<>();
  private final Map<LeaseRef, Survey> surveys = new HashMap<>();
  private final Map<LeaseRef, Timers.Timer> patience = new HashMap<>();

  /** A look at a lease's outputs. */
  private record Survey(Clocks since, int failed, boolean underway) {}

  Opening(Moment moment, JobItems items, Tasks tasks, Function<String, Optional<JobSheet>> sheets) {
    this.moment = moment;
    this.items = items;
    this.tasks = tasks;
    this.sheets = sheets;
  }

  /** Asks for what the lease lacks; a repeat asks for nothing twice. */
  void proceed(HeldLease lease) {
    if (lease.left() == 0) return;
    sheets.apply(lease.jobHash()).ifPresent(lease::sheet);
    if (lease.surveyed()) return;
    lease.sheet().ifPresent(sheet -> proceed(lease, sheet));
  }

  private void proceed(HeldLease lease, JobSheet sheet) {
    if (!surveys.containsKey(lease.ref)) giveUpInTime(lease, sheet);
    var survey = surveys.computeIfAbsent(lease.ref, r -> new Survey(moment.now(), 0, false));
    var complete = true;
    for (var chunk : JobItems.needed(sheet, lease.ref.start(), lease.end()))
      if (!items.has(chunk)) {
        complete = false;
        if (fetching.putIfAbsent(chunk, 0) == null) fetch(sheet, chunk);
      }
    if (!complete || survey.underway()) return;
    surveys.put(lease.ref, new Survey(survey.since(), survey.failed(), true));
    moment.ask(
        new AgentEffect.Survey(lease.ref, sheet, items.of(sheet, lease), moment.now().wall()));
  }

  private void fetch(JobSheet sheet, Chunk chunk) {
    var list =
        Places.of(sheet.bucket())
            .tasks(chunk.job(), chunk.number() * dev.mayfly.core.model.Job.CHUNK);
    moment.ask(new AgentEffect.Fetch(chunk.job(), chunk.number(), list));
  }

  /** Whether the list was waited for. */
  boolean fetched(AgentEvent.ItemsFetched event) {
    var chunk = new Chunk(event.job(), event.chunk());
    if (fetching.remove(chunk) == null) return false;
    items.arrived(chunk, event.items());
    return true;
  }

  /** Tries again after a pause, for as long as a lease needs the list. */
  void fetchFailed(AgentEvent.FetchFailed event, Iterable<HeldLease> leases) {
    var chunk = new Chunk(event.job(), event.chunk());
    var failed = fetching.computeIfPresent(chunk, (c, n) -> n + 1);
    if (failed == null) return;
    giveUp(leases);
    pause(failed, () -> fetchAgain(chunk, leases));
  }

  private void fetchAgain(Chunk chunk, Iterable<HeldLease> leases) {
    for (var lease : leases) {
      var sheet = lease.sheet();
      if (sheet.isEmpty() || lease.surveyed() || lease.left() == 0) continue;
      if (!JobItems.needed(sheet.get(), lease.ref.start(), lease.end()).contains(chunk)) continue;
      fetch(sheet.get(), chunk);
      return;
    }
    fetching.remove(chunk);
  }

  /** A read that never ends holds the lease no longer than reads that fail. */
  private void giveUpInTime(HeldLease lease, JobSheet sheet) {
    var cutOff = sheet.spec().run().cutOff();
    patience.put(lease.ref, moment.timers.set(moment.now(), cutOff, () -> giveUp(List.of(lease))));
  }

  /** A machine that cannot read what a lease needs gives it back: another one may. */
  private void giveUp(Iterable<HeldLease> leases) {
    for (var lease : leases) {
      var survey = surveys.get(lease.ref);
      if (survey == null || lease.surveyed() || lease.sheet().isEmpty()) continue;
      var cutOff = lease.sheet().get().spec().run().cutOff();
      if (moment.now().since(survey.since()).compareTo(cutOff) >= 0) lease.end(false);
    }
  }

  void surveyed(HeldLease lease, AgentEvent.Surveyed event) {
    if (lease.surveyed() || surveys.remove(lease.ref) == null) return;
    forget(lease);
    lease.surveyed(event.done());
    event
        .taken()
        .indexes()
        .filter(lease::mayBegin)
        .takeWhile(_ -> !lease.ending())
        .forEach(i -> taken(lease, i));
  }

  private void taken(HeldLease lease, long index) {
    var url =
        lease
            .sheet()
            .flatMap(sheet -> items.item(sheet, index).map(item -> Invocation.output(sheet, item)))
            .orElse("the output");
    var attempt = new Attempt(lease.ref, index);
    lease.failed(tasks.failure(attempt, Cause.OUTPUT_EXISTS, -1, Upload.exists(url)));
  }

  void surveyFailed(HeldLease lease, Iterable<HeldLease> leases) {
    var failed =
        surveys.computeIfPresent(lease.ref, (r, s) -> new Survey(s.since(), s.failed() + 1, true));
    if (failed == null) return;
    giveUp(leases);
    pause(failed.failed(), () -> surveyAgain(lease));
  }

  private void surveyAgain(HeldLease lease) {
    surveys.computeIfPresent(lease.ref, (r, s) -> new Survey(s.since(), s.failed(), false));
    if (surveys.containsKey(lease.ref)) proceed(lease);
  }

  private void pause(int failed, Runnable then) {
    var pause = moment.pause(FIRST_PAUSE, failed, moment.settings.storeRetry());
    moment.timers.set(moment.now(), pause, then);
  }

  void forget(HeldLease lease) {
    surveys.remove(lease.ref);
    Optional.ofNullable(patience.remove(lease.ref)).ifPresent(moment.timers::cancel);
  }
}
