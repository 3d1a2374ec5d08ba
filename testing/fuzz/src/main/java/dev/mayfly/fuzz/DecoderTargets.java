package dev.mayfly.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cli.client.DeploymentEndpoints;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.fuzz.FuzzTargets.NamedTarget;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Targets that decode values: messages, reports, orders, stored documents, sentinels, task lists.
 */
final class DecoderTargets {
  /**
   * The suffix of a rejection that hides a bug of a parser; an input may contain these words
   * elsewhere.
   */
  private static final String MISTAKE = "; this is a bug in Mayfly";

  private static final String ENDPOINTS =
      """
      {"project": "p", "api": "http://127.0.0.1:8421/api", "pubsub": "http://127.0.0.1:8420",
       "storage": "http://127.0.0.1:8420", "cloud": "http://127.0.0.1:8420",
       "workers": "http://127.0.0.1:8421/workers",
       "cloudPid": 1, "controlPid": 2, "supervisorPid": 3}\
      """;

  private DecoderTargets() {}

  static List<FuzzTarget> all() {
    var all = new ArrayList<FuzzTarget>();
    all.add(
        new NamedTarget(
            "messages", SeedCorpus.messages(), refusing(b -> Wire.codec().commands(b))));
    all.add(
        new NamedTarget("reports", List.of(SeedCorpus.report()), refusing(Wire.shared()::report)));
    all.add(
        new NamedTarget(
            "orders", SeedCorpus.texts(SeedCorpus.ORDERS), refusing(Wire.shared()::orders)));
    all.add(
        new NamedTarget(
            "triggers",
            List.of(Wire.shared().trigger(new Trigger.Reconcile("c1"))),
            refusing(Wire.shared()::trigger)));
    all.add(
        new NamedTarget(
            "tasklists",
            SeedCorpus.texts("{\"index\":0,\"input\":\"gs://lab/in/0\",\"vars\":{\"a\":\"1\"}}\n"),
            refusing(b -> Wire.codec().tasks(b))));
    all.add(
        new NamedTarget(
            "sentinels",
            SeedCorpus.texts(SeedCorpus.SENTINEL),
            b -> Wire.codec().sentinel(b).isPresent() || !Wire.codec().sentinels(b).isEmpty()));
    all.add(documents());
    all.add(new NamedTarget("webhooks", webhooks(), DecoderTargets::webhook));
    all.add(
        new NamedTarget("endpoints", SeedCorpus.texts(ENDPOINTS, "{}"), DecoderTargets::endpoints));
    return all;
  }

  private static List<byte[]> webhooks() {
    return SeedCorpus.texts(
        "https://hooks.example.com/x?y=z",
        "https://h:99999/",
        "https://h:0/",
        "http://127.0.0.1:8080/",
        "https://169.254.169.254/",
        "https://a@h:443/#f",
        "https://[::1%25lo]:99999999999/");
  }

  /** What is taken for a webhook's address can be called. */
  private static boolean webhook(byte[] input) throws Exception {
    var url = new String(input, UTF_8);
    var quoted = new String(Wire.shared().json(new Quoted(url, "hook/latest")), UTF_8);
    var cluster =
        SeedCorpus.CLUSTER + "notifications: {webhook: " + quoted.replace("\n", "") + "}\n";
    if (!refusing(b -> Wire.codec().commands(b)).accepts(SeedCorpus.bytes(cluster))) return false;
    boolean unused = HttpRequest.newBuilder(URI.create(url)).build().uri().isAbsolute();
    var port = URI.create(url).getPort();
    if (port != -1 && (port < 1 || port > 65_535))
      throw new IllegalStateException("no address has the port " + port);
    return true;
  }

  private record Quoted(String url, String secret) {}

  /** {@code local.json}, which every command reads. */
  private static boolean endpoints(byte[] input) throws IOException {
    var home = Files.createTempDirectory("mayfly-fuzz-");
    try {
      Files.write(DeploymentEndpoints.file(home), input);
      return DeploymentEndpoints.find(home).isPresent();
    } catch (UnavailableException refused) {
      if (!String.valueOf(refused.getMessage()).contains("restart the laptop cloud")) throw refused;
      return false;
    } finally {
      TempFolders.delete(home);
    }
  }

  /** The first byte chooses the kind of the rest. */
  private static FuzzTarget documents() {
    var job =
        DocumentFixtures.job(
            "c1", "j1", new JobState.Running(DocumentFixtures.T0), DocumentFixtures.T0);
    var examples =
        List.<LedgerDocument>of(
            DocumentFixtures.cluster("c1", Cluster.Phase.UP),
            job,
            DocumentFixtures.worker(
                "c1",
                "w1",
                new WorkerState.Ready(DocumentFixtures.T0, Optional.empty()),
                DocumentFixtures.T0),
            DocumentFixtures.event("c1", "e1", DocumentFixtures.T0, "job/j1"),
            Shard.of(new DocumentKey.OfShard("c1", "j1", 0), 10, TaskSet.none(0)));
    var types =
        List.<Class<? extends LedgerDocument>>of(
            Cluster.class, Job.class, Worker.class, EventRecord.class, Shard.class);
    var seeds = new ArrayList<byte[]>();
    for (var i = 0; i < examples.size(); i++)
      seeds.add(marked(i, Wire.shared().document(examples.get(i))));
    return new NamedTarget(
        "documents",
        List.copyOf(seeds),
        refusing(b -> {
          if (b.length == 0) throw new InvalidInputException("", "is empty");
          var type = types.get(Byte.toUnsignedInt(b[0]) % types.size());
          return Wire.shared().document(type, java.util.Arrays.copyOfRange(b, 1, b.length));
        }));
  }

  private static byte[] marked(int type, byte[] bytes) {
    var marked = new byte[bytes.length + 1];
    marked[0] = (byte) type;
    System.arraycopy(bytes, 0, marked, 1, bytes.length);
    return marked;
  }

  private interface Decoder {
    Object read(byte[] bytes);
  }

  private static NamedTarget.Reader refusing(Decoder decoder) {
    return input -> {
      try {
        decoder.read(input);
        return true;
      } catch (InvalidInputException refused) {
        if (refused.problems().stream().anyMatch(p -> p.message().endsWith(MISTAKE))) throw refused;
        return false;
      }
    };
  }
}
