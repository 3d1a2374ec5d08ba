package dev.mayfly.fuzz;

import dev.mayfly.core.error.InvalidInputException;
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
  private static final String MISTAKE = "; this is a mistake of Mayfly's";

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
            b -> Wire.codec().sentinel(b).isPresent()));
    all.add(documents());
    return all;
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
