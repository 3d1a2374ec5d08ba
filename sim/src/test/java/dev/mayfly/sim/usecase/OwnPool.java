package dev.mayfly.sim.usecase;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.WorkerState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** A cluster with a pool of machines of one's own, as a beginning for tests. */
abstract class OwnPool {
  final Lab lab = new Lab();

  @BeforeEach
  final void aStaticPool() {
    var cluster = lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec();
    var own =
        new PoolSpec(
            "own",
            "own",
            Resources.cpu(2, 8L << 30),
            List.of("us-a"),
            Provisioning.STATIC,
            0,
            2,
            Duration.ofMinutes(10),
            Duration.ofHours(24));
    var both = cluster.with(List.of(cluster.pools().getFirst(), own));
    lab.publish(new Command.ApplyCluster(both));
  }

  Message join(String worker, String machine, String nonce) {
    return join("own", worker, machine, nonce);
  }

  Message join(String pool, String worker, String machine, String nonce) {
    lab.pass(1_000);
    return lab.publish(new Command.JoinWorker("lab", pool, worker, machine, Sha256.of(nonce)));
  }

  Caller joined(String worker) {
    join(worker, "i-" + worker, "nonce-" + worker);
    return new Caller(lab, worker, lab.now());
  }

  /** The same machine, whose agent was started again with another value. */
  Caller again(Caller before) {
    join(before.name, before.incarnation.instanceId(), "again");
    var next = before.restarted();
    next.nonce = "again";
    return next;
  }

  WorkerState state(String worker) {
    return lab.worker(worker).state();
  }

  static JobSpec onOwn(String name, boolean exclusive) {
    return Lab.spec(
            name,
            new TaskSource.Count(4),
            Optional.of("gs://lab/out/" + name + "/{index}"),
            exclusive)
        .at(Place.inPools(List.of("own")));
  }
}
