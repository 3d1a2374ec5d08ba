package dev.mayfly.porttests;

import static dev.mayfly.core.model.Shard.State.ENDED;
import static dev.mayfly.core.model.Shard.State.LEASED;
import static dev.mayfly.core.model.Shard.State.READY;
import static dev.mayfly.core.model.Shard.State.SPENT;
import static dev.mayfly.porttests.Samples.T0;
import static dev.mayfly.porttests.Samples.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Ledger} answers to each {@link Query}, beginning with an empty one for each
 * test.
 */
public abstract class LedgerQueryContract {
  private static final WorkerState READY_STATE = new WorkerState.Ready(T0, Optional.empty());

  /** The ledger of this test; the same one at each call. */
  protected abstract Ledger ledger();

  @Test
  void clustersComeByUidAndThoseThatAreGoneOnlyWhenAsked() {
    put(Samples.cluster("c-2", Cluster.Phase.GOING));
    put(Samples.cluster("c-3", Cluster.Phase.GONE));
    put(Samples.cluster("c-1", Cluster.Phase.UP));

    assertThat(values(new Query.Clusters(false)))
        .extracting(Cluster::uid)
        .containsExactly("c-1", "c-2");
    assertThat(values(new Query.Clusters(true)))
        .extracting(Cluster::uid)
        .containsExactly("c-1", "c-2", "c-3");
  }

  @Test
  void workersThatAreNotGoneComeByName() {
    put(Samples.worker("c", "w-b", READY_STATE, at(1)));
    put(Samples.worker("c", "w-a", new WorkerState.Launching(T0, T0), at(3)));
    put(Samples.worker("c", "w-c", new WorkerState.Gone(T0, "404"), at(2)));
    put(Samples.worker("other", "w-d", READY_STATE, at(2)));

    assertThat(values(new Query.Workers("c", false, 10)))
        .extracting(w -> w.name())
        .containsExactly("w-a", "w-b");
    assertThat(values(new Query.Workers("c", false, 1)))
        .extracting(w -> w.name())
        .containsExactly("w-a");
  }

  @Test
  void withThoseGoneTheNewestWorkersComeFirst() {
    put(Samples.worker("c", "w-b", READY_STATE, at(1)));
    put(Samples.worker("c", "w-a", READY_STATE, at(3)));
    put(Samples.worker("c", "w-c", new WorkerState.Gone(T0, "404"), at(2)));

    assertThat(values(new Query.Workers("c", true, 2)))
        .extracting(w -> w.name())
        .containsExactly("w-a", "w-c");
  }

  @Test
  void liveJobsComeOldestFirstAndAllJobsNewestFirst() {
    put(Samples.job("c", "j-new", new JobState.Running(T0), at(9)));
    put(Samples.job("c", "j-old", new JobState.Expanding("", 0, -1), at(1)));
    put(Samples.job("c", "j-mid", new JobState.Stopping(T0, "ada"), at(5)));
    put(Samples.job("c", "j-fin", new JobState.Finishing(T0, false), at(6)));
    put(Samples.job("c", "j-end", new JobState.Ended(T0, JobState.Result.SUCCEEDED, ""), at(7)));
    put(Samples.job("other", "j-x", new JobState.Running(T0), at(2)));

    assertThat(values(new Query.LiveJobs("c")))
        .extracting(j -> j.uid())
        .containsExactly("j-old", "j-mid", "j-fin", "j-new");
    assertThat(values(new Query.Jobs("c", 3)))
        .extracting(j -> j.uid())
        .containsExactly("j-new", "j-end", "j-fin");
  }

  @Test
  void readyShardsComeByStartFromTheGivenOneOn() {
    shards();

    assertThat(starts(new Query.ReadyShards("c", "j", 0, 10))).containsExactly(9L, 30L, 100L);
    assertThat(starts(new Query.ReadyShards("c", "j", 10, 10))).containsExactly(30L, 100L);
    assertThat(starts(new Query.ReadyShards("c", "j", 30, 1))).containsExactly(30L);
  }

  @Test
  void spentShardsComeByStartAndCountAsReady() {
    shards();
    var before = ledger().totals(new Key.OfJob("c", "j"));
    put(Samples.shard("c", "j", 1_500, 1_600, SPENT, 0, 0));
    put(Samples.shard("c", "j", 1_000, 1_500, SPENT, 7, 0));

    assertThat(starts(new Query.SpentShards("c", "j", 10))).containsExactly(1_000L, 1_500L);
    assertThat(starts(new Query.SpentShards("c", "j", 1))).containsExactly(1_000L);
    assertThat(starts(new Query.ReadyShards("c", "j", 200, 10))).isEmpty();
    assertThat(starts(new Query.OpenShards("c", "j", 10))).contains(1_000L, 1_500L);
    assertThat(ledger().totals(new Key.OfJob("c", "j")).ready() - before.ready()).isEqualTo(593);
  }

  @Test
  void leasedShardsComeWithTheMostOpenTasksFirst() {
    shards();

    assertThat(starts(new Query.LeasedShards("c", "j", 10))).containsExactly(50L, 0L, 20L);
    assertThat(starts(new Query.LeasedShards("c", "j", 2))).containsExactly(50L, 0L);
  }

  @Test
  void openShardsComeInAnyOrderAllShardsByStart() {
    shards();

    var open = starts(new Query.OpenShards("c", "j", 100));
    assertThat(starts(new Query.OpenShards("c", "j", 3))).hasSize(3).isSubsetOf(open);
    assertThat(open).contains(0L, 9L, 20L).isSubsetOf(starts(new Query.Shards("c", "j", 0, 100)));
    assertThat(starts(new Query.Shards("c", "j", 40, 10))).containsExactly(40L, 50L, 100L);
  }

  @Test
  void totalsAreAddedUpOverTheShardsOfTheJobAlone() {
    shards();

    assertThat(ledger().totals(new Key.OfJob("c", "j")))
        .isEqualTo(new Totals(4 + 6 + 9 + 3, 1 + 1, 11 + 10 + 900, 5 + 3 + 47, 7));
    assertThat(ledger().totals(new Key.OfJob("c", "none"))).isEqualTo(new Totals(0, 0, 0, 0, 0));
  }

  @Test
  void beatsAreThoseOfTheCluster() {
    put(new Beats("c", "f-1", T0, Map.of("w", at(1))));
    put(new Beats("c", "f-2", T0, Map.of()));
    put(new Beats("other", "f-1", T0, Map.of()));

    assertThat(values(new Query.AllBeats("c")))
        .extracting(Beats::instance)
        .containsExactlyInAnyOrder("f-1", "f-2");
  }

  @Test
  void eventsComeNewestFirstAboutOneThingOrAll() {
    put(Samples.event("c", "e-1", at(1), "worker/w"));
    put(Samples.event("c", "e-2", at(3), "job/j"));
    put(Samples.event("c", "e-3", at(2), "worker/w"));
    put(Samples.event("other", "e-4", at(4), "worker/w"));

    assertThat(values(new Query.Events("c", Optional.empty(), 2)))
        .extracting(e -> e.id())
        .containsExactly("e-2", "e-3");
    assertThat(values(new Query.Events("c", Optional.of("worker/w"), 9)))
        .extracting(e -> e.id())
        .containsExactly("e-3", "e-1");
  }

  @Test
  void stockoutsAndRejectionsAreListed() {
    put(new Stockout("z", "n2", "EXHAUSTED", List.of(T0)));
    put(new Rejection("m-1", at(1), "", List.of("bad"), ""));
    put(new Rejection("m-2", at(2), "", List.of("bad"), ""));

    assertThat(values(new Query.Stockouts())).extracting(Stockout::zone).containsExactly("z");
    assertThat(values(new Query.Rejections(9)))
        .extracting(Rejection::message)
        .containsExactly("m-2", "m-1");
    assertThat(values(new Query.Rejections(1))).hasSize(1);
  }

  @Test
  void aQuerySeesTheLastCommitAndItsVersionIsGoodForAnUpdate() {
    shards();
    var shard = ledger().query(new Query.ReadyShards("c", "j", 0, 1)).complete().getFirst();

    var next = Samples.shard("c", "j", 9, 20, LEASED, 0, 0);
    assertThat(ledger().commit(List.of(new Write.Update(next, shard.version()))).done()).isTrue();

    assertThat(starts(new Query.ReadyShards("c", "j", 0, 10))).containsExactly(30L, 100L);
    assertThat(starts(new Query.LeasedShards("c", "j", 2))).containsExactly(50L, 9L);
  }

  /** Starts with one, two and three digits: by number they have another order than as text. */
  private void shards() {
    put(Samples.shard("c", "j", 100, 1000, READY, 0, 0));
    put(Samples.shard("c", "j", 0, 9, LEASED, 4, 0));
    put(Samples.shard("c", "j", 9, 20, READY, 0, 0));
    put(Samples.shard("c", "j", 20, 30, LEASED, 6, 1));
    put(Samples.shard("c", "j", 30, 40, READY, 0, 0));
    put(Samples.shard("c", "j", 40, 50, ENDED, 9, 1));
    put(Samples.shard("c", "j", 50, 100, LEASED, 3, 0));
    put(Samples.shard("c", "other", 10, 20, READY, 0, 0));
    put(Samples.shard("other", "j", 10, 20, READY, 0, 0));
  }

  private void put(Document document) {
    ledger().commit(List.of(new Write.Put(document)));
  }

  private <D extends Document> List<D> values(Query<D> query) {
    return ledger().query(query).complete().stream().map(Stored::value).toList();
  }

  private List<Long> starts(Query<Shard> query) {
    return values(query).stream().map(Shard::start).toList();
  }
}
