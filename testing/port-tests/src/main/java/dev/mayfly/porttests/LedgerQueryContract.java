package dev.mayfly.porttests;

import static dev.mayfly.core.model.document.Shard.State.ENDED;
import static dev.mayfly.core.model.document.Shard.State.LEASED;
import static dev.mayfly.core.model.document.Shard.State.READY;
import static dev.mayfly.core.model.document.Shard.State.SPENT;
import static dev.mayfly.porttests.DocumentFixtures.T0;
import static dev.mayfly.porttests.DocumentFixtures.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link Ledger} for each {@link LedgerQuery}, with an empty ledger for each test.
 */
public abstract class LedgerQueryContract {
  private static final WorkerState READY_STATE = new WorkerState.Ready(T0, Optional.empty());

  /** The ledger under test; always the same. */
  protected abstract Ledger ledger();

  @Test
  void goneClustersAreListedOnlyOnRequest() {
    put(DocumentFixtures.cluster("c-2", Cluster.Phase.GOING));
    put(DocumentFixtures.cluster("c-3", Cluster.Phase.GONE));
    put(DocumentFixtures.cluster("c-1", Cluster.Phase.UP));

    assertThat(values(new LedgerQuery.Clusters(false)))
        .extracting(Cluster::uid)
        .containsExactly("c-1", "c-2");
    assertThat(values(new LedgerQuery.Clusters(true)))
        .extracting(Cluster::uid)
        .containsExactly("c-1", "c-2", "c-3");
  }

  @Test
  void workersNotGoneAreSortedByName() {
    put(DocumentFixtures.worker("c", "w-b", READY_STATE, at(1)));
    put(DocumentFixtures.worker("c", "w-a", new WorkerState.Launching(T0, T0), at(3)));
    put(DocumentFixtures.worker("c", "w-c", new WorkerState.Gone(T0, "404"), at(2)));
    put(DocumentFixtures.worker("other", "w-d", READY_STATE, at(2)));

    assertThat(values(new LedgerQuery.Workers("c", false, 10)))
        .extracting(w -> w.name())
        .containsExactly("w-a", "w-b");
    assertThat(values(new LedgerQuery.Workers("c", false, 1)))
        .extracting(w -> w.name())
        .containsExactly("w-a");
  }

  @Test
  void newestWorkersComeFirstWithGoneOnes() {
    put(DocumentFixtures.worker("c", "w-b", READY_STATE, at(1)));
    put(DocumentFixtures.worker("c", "w-a", READY_STATE, at(3)));
    put(DocumentFixtures.worker("c", "w-c", new WorkerState.Gone(T0, "404"), at(2)));

    assertThat(values(new LedgerQuery.Workers("c", true, 2)))
        .extracting(w -> w.name())
        .containsExactly("w-a", "w-c");
  }

  @Test
  void liveJobsAreOldestFirstAllJobsNewestFirst() {
    put(DocumentFixtures.job("c", "j-new", new JobState.Running(T0), at(9)));
    put(DocumentFixtures.job("c", "j-old", new JobState.Expanding("", 0, -1), at(1)));
    put(DocumentFixtures.job("c", "j-mid", new JobState.Stopping(T0, "ada"), at(5)));
    put(DocumentFixtures.job("c", "j-fin", new JobState.Finishing(T0, false), at(6)));
    put(
        DocumentFixtures.job(
            "c",
            "j-end",
            new JobState.Ended(
                T0, JobState.Result.SUCCEEDED, "", TaskTotals.NONE, Map.of(), Optional.empty()),
            at(7)));
    put(DocumentFixtures.job("other", "j-x", new JobState.Running(T0), at(2)));

    assertThat(values(new LedgerQuery.LiveJobs("c")))
        .extracting(j -> j.uid())
        .containsExactly("j-old", "j-mid", "j-fin", "j-new");
    assertThat(values(new LedgerQuery.Jobs("c", 3)))
        .extracting(j -> j.uid())
        .containsExactly("j-new", "j-end", "j-fin");
  }

  @Test
  void jobNameIsFoundForEachOwner() {
    for (var address : List.of("train", "bob/train", "ann.x@lab.org/train", "ann/train-2", "x"))
      put(JobName.unused(DocumentKey.OfJobName.of("c", address)).of("j", "h", true));
    put(JobName.unused(DocumentKey.OfJobName.of("other", "train")));

    assertThat(values(new LedgerQuery.JobNames("c", "train", 10)))
        .extracting(name -> name.key().address())
        .containsExactly("train", "ann.x@lab.org/train", "bob/train");
    assertThat(values(new LedgerQuery.JobNames("c", "tra", 10))).isEmpty();
  }

  @Test
  void readyShardsAreSortedFromGivenStart() {
    shards();

    assertThat(starts(new LedgerQuery.ReadyShards("c", "j", 0, 10))).containsExactly(9L, 30L, 100L);
    assertThat(starts(new LedgerQuery.ReadyShards("c", "j", 10, 10))).containsExactly(30L, 100L);
    assertThat(starts(new LedgerQuery.ReadyShards("c", "j", 30, 1))).containsExactly(30L);
  }

  @Test
  void spentShardsComeByStartAndCountAsReady() {
    shards();
    var before = ledger().totals(new DocumentKey.OfJob("c", "j"));
    put(DocumentFixtures.shard("c", "j", 1_500, 1_600, SPENT, 0, 0));
    put(DocumentFixtures.shard("c", "j", 1_000, 1_500, SPENT, 7, 0));

    assertThat(starts(new LedgerQuery.SpentShards("c", "j", 10))).containsExactly(1_000L, 1_500L);
    assertThat(starts(new LedgerQuery.SpentShards("c", "j", 1))).containsExactly(1_000L);
    assertThat(starts(new LedgerQuery.ReadyShards("c", "j", 200, 10))).isEmpty();
    assertThat(starts(new LedgerQuery.OpenShards("c", "j", 10))).contains(1_000L, 1_500L);
    assertThat(ledger().totals(new DocumentKey.OfJob("c", "j")).ready() - before.ready())
        .isEqualTo(593);
  }

  @Test
  void leasedShardsComeWithTheMostOpenTasksFirst() {
    shards();

    assertThat(starts(new LedgerQuery.LeasedShards("c", "j", 10))).containsExactly(50L, 0L, 20L);
    assertThat(starts(new LedgerQuery.LeasedShards("c", "j", 2))).containsExactly(50L, 0L);
  }

  @Test
  void openShardsAreUnorderedAllShardsSorted() {
    shards();

    var open = starts(new LedgerQuery.OpenShards("c", "j", 100));
    assertThat(starts(new LedgerQuery.OpenShards("c", "j", 3))).hasSize(3).isSubsetOf(open);
    assertThat(open)
        .contains(0L, 9L, 20L)
        .isSubsetOf(starts(new LedgerQuery.Shards("c", "j", 0, 100)));
    assertThat(starts(new LedgerQuery.Shards("c", "j", 40, 10))).containsExactly(40L, 50L, 100L);
  }

  @Test
  void totalsCoverOneJobOnly() {
    shards();

    assertThat(ledger().totals(new DocumentKey.OfJob("c", "j")))
        .isEqualTo(new TaskTotals(4 + 6 + 9 + 3, 1 + 1, 11 + 10 + 900, 5 + 3 + 47, 7));
    assertThat(ledger().totals(new DocumentKey.OfJob("c", "none"))).isEqualTo(TaskTotals.NONE);
  }

  @Test
  void heartbeatsAreThoseOfTheCluster() {
    put(new Heartbeats("c", "f-1", T0, Map.of("w", at(1))));
    put(new Heartbeats("c", "f-2", T0, Map.of()));
    put(new Heartbeats("other", "f-1", T0, Map.of()));

    assertThat(values(new LedgerQuery.AllHeartbeats("c")))
        .extracting(Heartbeats::instance)
        .containsExactlyInAnyOrder("f-1", "f-2");
  }

  @Test
  void usageComesFromIdDaysFirst() {
    for (var id : List.of("2026-11-26.0", "ended.w-1.5", "2026-11-27.0", "2026-11-27.1"))
      put(new Usage("c", id, List.of()));
    put(new Usage("other", "2026-11-27.0", List.of()));

    assertThat(values(new LedgerQuery.Usages("c", "2026-11-27", 9)))
        .extracting(Usage::id)
        .containsExactly("2026-11-27.0", "2026-11-27.1", "ended.w-1.5");
    assertThat(values(new LedgerQuery.Usages("c", Usage.ENDED, 9)))
        .extracting(Usage::id)
        .containsExactly("ended.w-1.5");
    assertThat(values(new LedgerQuery.Usages("c", "2026", 1)))
        .extracting(Usage::id)
        .containsExactly("2026-11-26.0");
  }

  @Test
  void eventsComeNewestFirstAboutOneThingOrAll() {
    put(DocumentFixtures.event("c", "e-1", at(1), "worker/w"));
    put(DocumentFixtures.event("c", "e-2", at(3), "job/j"));
    put(DocumentFixtures.event("c", "e-3", at(2), "worker/w"));
    put(DocumentFixtures.event("other", "e-4", at(4), "worker/w"));

    assertThat(values(new LedgerQuery.Events("c", Optional.empty(), 2)))
        .extracting(e -> e.id())
        .containsExactly("e-2", "e-3");
    assertThat(values(new LedgerQuery.Events("c", Optional.of("worker/w"), 9)))
        .extracting(e -> e.id())
        .containsExactly("e-3", "e-1");
    assertThat(values(new LedgerQuery.Events("c", Optional.empty(), Optional.of(at(2)), 9)))
        .extracting(e -> e.id())
        .containsExactly("e-3", "e-1");
    assertThat(values(new LedgerQuery.Events("c", Optional.of("worker/w"), Optional.of(at(1)), 9)))
        .extracting(e -> e.id())
        .containsExactly("e-1");
  }

  @Test
  void eventsOfOneMessageAreFound() {
    put(EventRecord.ofMessage("c", "job/j", "received", "stop", "m-1", at(1), 0));
    put(EventRecord.ofMessage("c", "job/j", "received", "stop", "m-2", at(1), 0));
    put(EventRecord.ofMessage("other", "job/j", "received", "stop", "m-1", at(1), 0));
    put(DocumentFixtures.event("c", "e-1", at(2), "job/j"));

    assertThat(values(new LedgerQuery.EventsOfMessage("c", "m-1", 9)))
        .extracting(e -> e.cluster() + " " + e.messageId().orElseThrow())
        .containsExactly("c m-1");
  }

  @Test
  void owedNotificationsOfAllClustersAreFound() {
    var ended = new PendingNotification(NotificationKind.JOB_ENDED);
    var bad = new PendingNotification(NotificationKind.NODE_BAD);
    put(DocumentFixtures.event("c", "e-1", at(1), "job/j").with(ended));
    put(DocumentFixtures.event("c", "e-2", at(2), "job/j"));
    put(DocumentFixtures.event("other", "e-3", at(3), "worker/w").with(bad));
    put(DocumentFixtures.event("c", "e-4", at(4), "job/j").with(ended));
    put(DocumentFixtures.event("c", "e-4", at(4), "job/j").with(ended).withoutNotification());

    assertThat(values(new LedgerQuery.PendingNotifications(9)))
        .extracting(e -> e.id() + " " + e.notification().orElseThrow().kind().word())
        .containsExactlyInAnyOrder("e-1 job-ended", "e-3 node-bad");
    assertThat(values(new LedgerQuery.PendingNotifications(1))).hasSize(1);
  }

  @Test
  void stockoutsAndRejectionsAreListed() {
    put(new Stockout("z", "n2", "EXHAUSTED", List.of(T0), Optional.empty()));
    put(new RejectedMessage("m-1", at(1), "", List.of("bad"), ""));
    put(new RejectedMessage("m-2", at(2), "", List.of("bad"), ""));

    assertThat(values(new LedgerQuery.Stockouts())).extracting(Stockout::zone).containsExactly("z");
    assertThat(values(new LedgerQuery.RejectedMessages(9)))
        .extracting(RejectedMessage::message)
        .containsExactly("m-2", "m-1");
    assertThat(values(new LedgerQuery.RejectedMessages(1))).hasSize(1);
  }

  @Test
  void querySeesLastCommitWithUsableVersion() {
    shards();
    var shard =
        ledger().query(new LedgerQuery.ReadyShards("c", "j", 0, 1)).requireComplete().getFirst();

    var next = DocumentFixtures.shard("c", "j", 9, 20, LEASED, 0, 0);
    assertThat(ledger().commit(List.of(new LedgerWrite.Update(next, shard.version()))).done())
        .isTrue();

    assertThat(starts(new LedgerQuery.ReadyShards("c", "j", 0, 10))).containsExactly(30L, 100L);
    assertThat(starts(new LedgerQuery.LeasedShards("c", "j", 2))).containsExactly(50L, 9L);
  }

  /**
   * Shards whose starts have one, two and three digits: their numeric order differs from their text
   * order.
   */
  private void shards() {
    put(DocumentFixtures.shard("c", "j", 100, 1000, READY, 0, 0));
    put(DocumentFixtures.shard("c", "j", 0, 9, LEASED, 4, 0));
    put(DocumentFixtures.shard("c", "j", 9, 20, READY, 0, 0));
    put(DocumentFixtures.shard("c", "j", 20, 30, LEASED, 6, 1));
    put(DocumentFixtures.shard("c", "j", 30, 40, READY, 0, 0));
    put(DocumentFixtures.shard("c", "j", 40, 50, ENDED, 9, 1));
    put(DocumentFixtures.shard("c", "j", 50, 100, LEASED, 3, 0));
    put(DocumentFixtures.shard("c", "other", 10, 20, READY, 0, 0));
    put(DocumentFixtures.shard("other", "j", 10, 20, READY, 0, 0));
  }

  private void put(LedgerDocument ledgerDocument) {
    ledger().commit(List.of(new LedgerWrite.Put(ledgerDocument)));
  }

  private <D extends LedgerDocument> List<D> values(LedgerQuery<D> ledgerQuery) {
    return ledger().query(ledgerQuery).requireComplete().stream()
        .map(VersionedDocument::value)
        .toList();
  }

  private List<Long> starts(LedgerQuery<Shard> ledgerQuery) {
    return values(ledgerQuery).stream().map(Shard::start).toList();
  }
}
