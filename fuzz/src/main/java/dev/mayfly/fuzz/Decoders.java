package dev.mayfly.fuzz;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.fuzz.EntryPoints.Named;
import dev.mayfly.porttests.Samples;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bytes that become values: messages, reports, orders, stored documents, sentinels, task lists. */
final class Decoders {
  /** How a refusal ends that a parser's own mistake made; an input may have the words elsewhere. */
  private static final String MISTAKE = "; this is a mistake of Mayfly's";

  private Decoders() {}

  static List<EntryPoint> all() {
    var all = new ArrayList<EntryPoint>();
    all.add(new Named("messages", Seeds.messages(), refusing(b -> Wire.codec().commands(b))));
    all.add(new Named("reports", List.of(Seeds.report()), refusing(Wire.shared()::report)));
    all.add(new Named("orders", Seeds.texts(Seeds.ORDERS), refusing(Wire.shared()::orders)));
    all.add(
        new Named(
            "hints",
            List.of(Wire.shared().hint(new Hint.Look("c1"))),
            refusing(Wire.shared()::hint)));
    all.add(
        new Named(
            "tasklists",
            Seeds.texts("{\"index\":0,\"input\":\"gs://lab/in/0\",\"vars\":{\"a\":\"1\"}}\n"),
            refusing(b -> Wire.codec().tasks(b))));
    all.add(
        new Named(
            "sentinels", Seeds.texts(Seeds.SENTINEL), b -> Wire.codec().sentinel(b).isPresent()));
    all.add(documents());
    return all;
  }

  /** The first byte chooses what the rest is read as. */
  private static EntryPoint documents() {
    var job = Samples.job("c1", "j1", new JobState.Running(Samples.T0), Samples.T0);
    var examples =
        List.<Document>of(
            Samples.cluster("c1", Cluster.Phase.UP),
            job,
            Samples.worker(
                "c1", "w1", new WorkerState.Ready(Samples.T0, Optional.empty()), Samples.T0),
            Samples.event("c1", "e1", Samples.T0, "job/j1"),
            Shard.of(new Key.OfShard("c1", "j1", 0), 10, Bits.none(0)));
    var types =
        List.<Class<? extends Document>>of(
            Cluster.class, Job.class, Worker.class, Event.class, Shard.class);
    var seeds = new ArrayList<byte[]>();
    for (var i = 0; i < examples.size(); i++)
      seeds.add(marked(i, Wire.shared().document(examples.get(i))));
    return new Named(
        "documents",
        List.copyOf(seeds),
        refusing(b -> {
          if (b.length == 0) throw new Invalid("", "is empty");
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

  private static Named.Reader refusing(Decoder decoder) {
    return input -> {
      try {
        decoder.read(input);
        return true;
      } catch (Invalid refused) {
        if (refused.problems().stream().anyMatch(p -> p.message().endsWith(MISTAKE))) throw refused;
        return false;
      }
    };
  }
}
