package dev.mayfly.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.porttests.WorstCaseInputs;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Valid inputs, and worst cases made by hand. */
final class SeedCorpus {
  /** A job with nearly every field. */
  static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: train
      cluster: lab
      owner: ada
      priority: 60
      variables: {rates: [0.1, 0.2]}
      command: [python, train.py, "--rate={rate}", "--seed={seed}"]
      env: {WANDB_MODE: offline}
      resources: {cpu: 2, memory: 4Gi, gpu: 0.5}
      tasks:
        matrix: {rate: [0.1, 0.2], seed: [1, 2, 3]}
        output: "gs://lab/{owner}/{name}/{date}/{rate}-{seed}.json"
      retries: {failures: 2, infrastructure: 20}
      timeout: 90m
      grace: 25s
      pools: [cpu]
      """;

  static final String CLUSTER =
      """
      apiVersion: mayfly.dev/v1
      kind: Cluster
      name: lab
      bucket: gs://lab
      budget: {usdPerHour: 12, prices: {n2-standard-4: 0.05}}
      pools:
        - name: cpu
          machine: {type: n2-standard-4}
          zones: [us-central1-a, us-central1-b]
          provisioning: spot
          workers: {min: 0, max: 10, idleAfter: 10m}
      """;

  static final String ORDERS =
      """
      {"seq": 12, "now": "2026-01-31T10:00:00Z", "due": "2026-01-31T10:00:10Z",
      "leases": [{"ref": {"job": "j9", "start": 40, "epoch": 3}, "end": 50, "skip": {"first": 0, "bytes": "AAAAAAAE"}, "jobHash": "abc", "recall": false}],
      "specs": [], "fenced": false, "gang": [{"lease": {"job": "j9", "start": 40, "epoch": 3}, "run": 1, "step": "run", "rank": 1, "hosts": ["10.0.0.1", "10.0.0.2"]}]}\
      """;

  static final String SENTINEL =
      """
      {
        "job" : "j9",
        "task" : 3,
        "attempt" : "s0e1",
        "output" : "gs://lab/out/3",
        "generation" : 17,
        "size" : 1024,
        "crc32c" : "AAAAAA==",
        "worker" : "v4-7f3a",
        "at" : "2026-01-31T10:00:00Z"
      }\
      """;

  private SeedCorpus() {}

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  static List<byte[]> texts(String... some) {
    return List.of(some).stream().map(SeedCorpus::bytes).toList();
  }

  static List<byte[]> messages() {
    var all =
        new ArrayList<>(
            texts(
                JOB,
                CLUSTER,
                JOB + "---\n" + CLUSTER,
                "{apiVersion: mayfly.dev/v1, kind: StopJob, cluster: lab, job: train}",
                "{apiVersion: mayfly.dev/v1, kind: RetryJob, cluster: lab, job: train}",
                "{apiVersion: mayfly.dev/v1, kind: StopTasks, cluster: lab, job: train, tasks: [3, 5-9]}",
                "{apiVersion: mayfly.dev/v1, kind: DownCluster, cluster: lab}",
                "apiVersion: &v mayfly.dev/v1\nkind: Job\nname: *v\n",
                "a: [[[[{b: {c: !!binary aGk=}}]]]]\n<<: {x: 1e999}\n"));
    WorstCaseInputs.messages().values().forEach(text -> all.add(bytes(text)));
    return List.copyOf(all);
  }

  static byte[] report() {
    var lease = new LeaseRef("jkq3x", 100, 7);
    var attemptFailure =
        new AttemptFailure(
            3,
            lease.attempt(),
            FailureCause.USER,
            2,
            "no such file",
            "lab-cpu-1",
            DocumentFixtures.T0);
    var held =
        new SyncReport.Lease(
            lease,
            200,
            TaskSet.where(100, 200, i -> i % 2 == 0),
            List.of(attemptFailure),
            List.of(5L),
            9,
            true,
            List.of(),
            List.of());
    return Wire.shared()
        .report(
            new SyncReport(
                "c1",
                "lab-cpu-1",
                0,
                new Incarnation("77", "boot", DocumentFixtures.T0),
                "nonce",
                12,
                Resources.cpu(4, 16L << 30),
                Resources.cpu(2, 8L << 30),
                Map.of("jkq3x", 2L),
                List.of(held),
                List.of("hash"),
                List.of(),
                Optional.of(DocumentFixtures.T0),
                false,
                25,
                Optional.of(MachineProblem.Kind.DEGRADED.of("the store is away")),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty()));
  }

  /** A code bundle of two files in a folder. */
  static byte[] bundle() {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (var name : List.of("train.py", "lib/data.py")) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes("print('" + name + "')\n".repeat(20)));
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
