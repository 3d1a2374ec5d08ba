package dev.mayfly.sim.query;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Situations in which a job waits, and what the queries say of it. */
final class ReasonScenes {
  private final List<String> lines = new ArrayList<>();

  List<String> all() {
    fullWorker();
    owners();
    unfitWorker();
    concurrency();
    ownerLimit();
    gang();
    labels();
    crashLoop();
    workerWithRoom();
    for (var kind : Refusal.Kind.values()) refused(kind);
    booting();
    requested();
    pausedPool();
    budget();
    unreadMonth();
    wholeSlices();
    staticPool();
    onDemand();
    return lines;
  }

  private void tell(String scene, StatusQueries queries, String... jobs) {
    lines.add("== " + scene);
    for (var job : jobs) {
      lines.add("explain " + job);
      var why = queries.explain("lab", job);
      why.reasons().forEach(r -> lines.add("  " + r.kind() + ": " + r.text()));
      why.remedy().ifPresent(remedy -> lines.add("  to do: " + remedy));
    }
    lines.add("jobs");
    queries
        .jobs("lab", 20)
        .forEach(
            j -> lines.add("  " + j.address() + " " + j.state() + " " + j.reason().orElse("")));
    lines.add("status");
    queries.cluster("lab").problems().forEach(p -> lines.add("  " + p));
    lines.add("");
  }

  private void fullWorker() {
    var lab = new LabCluster(1);
    lab.submit(LabCluster.count("one", 1));
    lab.submit(LabCluster.count("two", 1));
    lab.machine("w").syncAndWait();
    lab.submit(LabCluster.count("three", 1));
    tell("two tasks fill the only worker", lab.controlPlane.statusQueries(), "three");
  }

  private void owners() {
    var lab = new LabCluster(1);
    lab.submit(owned("one", "ada", Placement.ANYWHERE));
    lab.submit(owned("uno", "ada", Placement.ANYWHERE));
    lab.machine("w").syncAndWait();
    lab.submit(owned("two", "bob", Placement.ANYWHERE));
    lab.submit(owned("far", "bob", new Placement(List.of(), List.of(), List.of("w-old"))));
    tell("two owners, one worker", lab.controlPlane.statusQueries(), "bob/two", "bob/far");
  }

  private static JobSpec owned(String name, String owner, Placement placement) {
    var s =
        LabCluster.spec(
            owner + "/" + name, LabCluster.count(name, 1).tasks(), "gs://lab/" + name + "/{index}");
    return s.withPlacement(placement);
  }

  private void unfitWorker() {
    var lab = new LabCluster(1);
    lab.machine("w").syncAndWait();
    lab.change(
        "w",
        false,
        x -> x.withProblem(Optional.of(MachineProblem.Kind.UNFIT.of("no nvidia-smi; no driver?"))));
    lab.submit(LabCluster.count("j", 1));
    tell("the only worker lacks its driver", lab.controlPlane.statusQueries(), "j");
    lab.change(
        "w",
        false,
        x -> x.withProblem(Optional.of(MachineProblem.Kind.PREPARING.of("installs docker"))));
    tell("the only worker prepares itself", lab.controlPlane.statusQueries(), "j");
  }

  private void concurrency() {
    var lab = new LabCluster();
    lab.submit(
        LabCluster.count("j", 40)
            .withAdmission(new AdmissionRules(List.of(), 3, Optional.empty())));
    for (var name : List.of("a", "b")) {
      var agent = lab.machine(name);
      agent.prefetch = Map.of(lab.job("j").uid(), 100L);
      agent.syncAndWait();
    }
    tell("a job at its own limit", lab.controlPlane.statusQueries(), "j");
  }

  private void ownerLimit() {
    var lab = new LabCluster();
    var limits =
        new ClusterLimits(
            Optional.of(2L), Map.of(), Optional.empty(), Optional.empty(), Optional.empty());
    lab.publish(
        new UserCommand.ApplyCluster(
            lab.cluster().spec().withLimits(limits), Optional.empty(), false));
    lab.submit(LabCluster.count("j", 40));
    lab.submit(LabCluster.count("k", 1));
    lab.machine("a").syncAndWait();
    tell("an owner at the limit", lab.controlPlane.statusQueries(), "j", "k");
  }

  private void gang() {
    var lab = new LabCluster(3);
    lab.submit(LabCluster.count("small", 1));
    lab.machine("a").syncAndWait();
    lab.submit(together("ring", 3));
    lab.machine("b").syncAndWait();
    tell("a gang of three", lab.controlPlane.statusQueries(), "ring");
  }

  private static JobSpec together(String name, int gang) {
    var s = LabCluster.count(name, 1);
    return new JobSpec(
        s.name(),
        s.cluster(),
        s.owner(),
        s.tasks(),
        s.data(),
        s.run(),
        s.resources(),
        s.retries(),
        s.priority(),
        s.place(),
        s.exclusive(),
        gang,
        s.anyRegion(),
        s.settle(),
        Optional.empty());
  }

  private void labels() {
    var lab = new LabCluster(1);
    var pool = lab.cluster().spec().pools().getFirst();
    lab.publishLate(
        new UserCommand.ApplyCluster(
            lab.cluster().spec().with(List.of(pool.withLabels(Map.of("disk", "ssd")))),
            Optional.empty(),
            false));
    lab.machine("w").syncAndWait();
    var spec = LabCluster.count("j", 1);
    lab.submit(spec.withPlacement(spec.place().withLabels(Map.of("disk", "ssd"))));
    tell("labels that only new machines have", lab.controlPlane.statusQueries(), "j");
  }

  private void crashLoop() {
    var lab = new LabCluster(1);
    lab.submit(LabCluster.count("j", 40));
    var w = lab.machine("w");
    w.syncAndWait();
    for (var task = 0; task < 3; task++)
      w.failed(task, "ModuleNotFoundError: No module named 'nosuch'");
    w.release();
    w.syncAndWait();
    tell("every attempt fails alike", lab.controlPlane.statusQueries(), "j");
  }

  private void workerWithRoom() {
    var lab = new LabCluster(1);
    lab.machine("w").syncAndWait();
    lab.submit(LabCluster.count("j", 1));
    tell("a ready worker has room", lab.controlPlane.statusQueries(), "j");
  }

  private static void job(ReconcileFixture lab, String name, long tasks) {
    var job = lab.job(name, tasks);
    var named = JobName.unused(job.nameKey()).of(job.uid(), "h", true);
    lab.ledger.commit(List.of(new LedgerWrite.Put(named)));
  }

  private void refused(Refusal.Kind kind) {
    var lab = new ReconcileFixture(ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE, "eu-b"));
    job(lab, "j", 1);
    lab.fleet.orders =
        Optional.of(_ ->
            new Ordered.Refused(
                new Refusal(
                    kind, kind + "_CODE", "The resource 'projects/lab/zones/us-a' is not there")));
    for (var i = 0; i < 6; i++) lab.tick();
    tell("the cloud refuses: " + kind, lab.views(), "j");
  }

  private void booting() {
    var lab = new ReconcileFixture(ReconcileFixture.pool(0, 2, ReconcileFixture.ZONE));
    job(lab, "first", 2);
    job(lab, "second", 9);
    lab.reconcile();
    tell("machines are ordered", lab.views(), "first", "second");
    lab.tick();
    lab.tick();
    tell("machines boot", lab.views(), "first", "second");
  }

  private void requested() {
    var lab = new ReconcileFixture(ReconcileFixture.flexible(ReconcileFixture.ZONE));
    lab.machines.stock(ReconcileFixture.ZONE, 0);
    job(lab, "j", 1);
    for (var i = 0; i < 20; i++) lab.tick();
    tell("the cloud keeps a request by flex-start", lab.views(), "j");
  }

  private void pausedPool() {
    var lab = new ReconcileFixture(ReconcileFixture.pool(0, 4, ReconcileFixture.ZONE));
    job(lab, "first", 1);
    job(lab, "second", 1);
    for (var i = 0; i < 20; i++) {
      lab.tick();
      for (var w : lab.workers())
        if (w.firstSyncAt().isEmpty()) {
          lab.makeReady(w.name());
          lab.change(
              w.name(),
              x ->
                  x.withProblem(
                      Optional.of(
                          MachineProblem.Kind.UNFIT.of("/mnt/data: gcsfuse is not installed"))));
        }
    }
    tell("no machine of the pool can run tasks", lab.views(), "first", "second");
  }

  private void budget() {
    var lab = new ReconcileFixture();
    var prices = Map.of("n2-standard-2", 0.5, "n2-standard-2/spot", 0.5);
    lab.apply(
        ReconcileFixture.spec(ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE))
            .withBudget(new HourlyBudget(0.7, prices)),
        lab.later());
    job(lab, "j", 9);
    lab.tick();
    tell("the budget allows one machine", lab.views(), "j");
  }

  private void unreadMonth() {
    var lab = new ReconcileFixture();
    var budget = new Budget(Optional.empty(), Map.of(), Optional.of(50.0));
    lab.apply(
        ReconcileFixture.spec(ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE))
            .withBudget(budget),
        lab.later());
    var usage = new Usage(lab.uid, Usage.ENDED + "w", List.of());
    lab.ledger.commit(List.of(new LedgerWrite.Create(usage)));
    lab.ledger.spoil(usage.key());
    job(lab, "j", 9);
    lab.tick();
    tell("what the month has cost cannot be read", lab.views(), "j");
  }

  private void wholeSlices() {
    var slices = pool("slices", "v4-32", Provisioning.SPOT, 0);
    var lab = new ReconcileFixture(pool("cpu", "n2-standard-2", Provisioning.SPOT, 1), slices);
    job(lab, "j", 9);
    lab.tick();
    tell("slices are for jobs that name them", lab.views(), "j");
  }

  private void staticPool() {
    var lab = new ReconcileFixture(pool("own", "n2-standard-2", Provisioning.STATIC, 2));
    job(lab, "j", 9);
    lab.tick();
    tell("machines of one's own", lab.views(), "j");
  }

  private void onDemand() {
    var lab = new LabCluster(2);
    lab.useSlices("n2-standard-2");
    lab.submit(LabCluster.count("j", 9));
    lab.controlPlane.handle(new Trigger.Tick());
    tell("spot machines with a fallback", lab.controlPlane.statusQueries(), "j");
  }

  private static PoolSpec pool(String name, String type, Provisioning how, int max) {
    return new PoolSpec(
        name,
        type,
        Resources.cpu(2, 8L << 30),
        List.of("us-a"),
        how,
        0,
        max,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }
}
