package dev.mayfly.local.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.gcp.firestore.FirestoreDatabase;
import dev.mayfly.gcp.firestore.FirestoreSettings;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.porttests.GoogleEmulator;
import dev.mayfly.porttests.LedgerContract;
import dev.mayfly.porttests.LedgerQueryContract;
import dev.mayfly.porttests.LedgerWatchContract;
import dev.mayfly.porttests.UnreadableDocumentContract;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The ledger on the official Firestore emulator, a project of its own for each test. */
class FirestoreLedgerTest {
  private static final DocumentKey.OfTickSchedule TICKS = new DocumentKey.OfTickSchedule();

  /** Seconds; nothing that works takes nearly as long. */
  private static final int LIMIT = 120;

  private FirestoreSettings settings;
  private FirestoreDatabase state;

  @BeforeEach
  void open() {
    var host = GoogleEmulator.FIRESTORE.required();
    settings = FirestoreSettings.of(GoogleEmulator.freshProject()).withEmulator(host);
    state = FirestoreDatabase.open(settings);
  }

  @AfterEach
  void close() {
    if (state != null) state.close();
  }

  @Nested
  class Contract extends LedgerContract {
    @Override
    protected Ledger ledger() {
      return state.ledger();
    }
  }

  @Nested
  class Queries extends LedgerQueryContract {
    @Override
    protected Ledger ledger() {
      return state.ledger();
    }
  }

  @Nested
  class Unreadable extends UnreadableDocumentContract {
    @Override
    protected Ledger ledger() {
      return state.ledger();
    }

    @Override
    protected void corrupt(DocumentKey<?> documentKey, String field) {
      edit(documentKey, field, "hibernating");
    }
  }

  /** As the console does. */
  private void edit(DocumentKey<?> documentKey, String field, String word) {
    var parts = field.split("\\.");
    var value = "{\"stringValue\": \"%s\"}".formatted(word);
    for (var i = parts.length - 1; i > 0; i--)
      value = "{\"mapValue\": {\"fields\": {\"%s\": %s}}}".formatted(parts[i], value);
    var url =
        "http://%s/v1/projects/%s/databases/(default)/documents/%s?updateMask.fieldPaths=%s"
            .formatted(
                settings.emulatorHost().orElseThrow(),
                settings.project(),
                documentKey.path(),
                field);
    var request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", "Bearer owner")
            .method(
                "PATCH",
                BodyPublishers.ofString("{\"fields\": {\"%s\": %s}}".formatted(parts[0], value)))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Nested
  class Watches extends LedgerWatchContract {
    @Override
    protected Ledger ledger() {
      return state.ledger();
    }

    /**
     * Google's emulator reads a new stream's document before it registers the stream, and tells it
     * nothing of a commit in between (6 of 400 streams that began beside a commit).
     */
    @Override
    protected void awaitStream(BlockingQueue<ChangeSignal> told) throws InterruptedException {
      assertThat(next(told)).isNotNull();
    }
  }

  @Test
  void ofManyWhoUpdateOneVersionOneSucceeds() throws Exception {
    state.ledger().commit(List.of(new LedgerWrite.Put(ticks(0))));
    try (var threads = Executors.newFixedThreadPool(4)) {
      var added = new ArrayList<Future<Integer>>();
      for (var i = 0; i < 4; i++) added.add(threads.submit(this::addTen));
      for (var each : added) assertThat(each.get(LIMIT, TimeUnit.SECONDS)).isEqualTo(10);
    }

    assertThat(state.ledger().read(TICKS).orElseThrow().value()).isEqualTo(ticks(40));
  }

  private int addTen() {
    var added = 0;
    while (added < 10) {
      var old = state.ledger().read(TICKS).orElseThrow();
      var next = ticks(old.value().since().getEpochSecond() + 1);
      if (state.ledger().commit(List.of(new LedgerWrite.Update(next, old.version()))).done())
        added++;
    }
    return added;
  }

  @Test
  void theConflictNamesTheDocumentThatHadChanged() {
    var ledger = state.ledger();
    var worker = new ClusterName("worker", "1");
    var shard = new ClusterName("shard", "1");
    ledger.commit(List.of(new LedgerWrite.Put(worker), new LedgerWrite.Put(shard)));
    var versions =
        List.of(
            ledger.read(worker.key()).orElseThrow().version(),
            ledger.read(shard.key()).orElseThrow().version());
    ledger.commit(List.of(new LedgerWrite.Put(new ClusterName("shard", "2"))));

    var commitResult =
        ledger.commit(
            List.of(
                new LedgerWrite.Update(worker, versions.get(0)),
                new LedgerWrite.Update(shard, versions.get(1))));

    assertThat(commitResult).isEqualTo(new CommitResult.Conflict(shard.key()));
  }

  @Test
  void reservedFieldNamesWorkInMaps() {
    var pulse = List.of("__x__", "\\__x__", "\\", "a.b", "`", "ü");

    state.ledger().commit(List.of(new LedgerWrite.Signal("c", DocumentFixtures.T0, false, pulse)));

    assertThat(
            state
                .ledger()
                .read(new DocumentKey.OfChangeSignal("c"))
                .orElseThrow()
                .value()
                .workers())
        .containsOnlyKeys(pulse);
  }

  @Test
  void oversizedDocumentIsRefusedWithPathAndSize() {
    var large = new RejectedMessage("m", DocumentFixtures.T0, "", List.of(), "x".repeat(1_100_000));

    assertThatThrownBy(() -> state.ledger().commit(List.of(new LedgerWrite.Put(large))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("rejections/m")
        .hasMessageContaining("1,100,");
  }

  @Test
  void aKeyThatIsNoPlaceIsRefused() {
    assertThatThrownBy(() -> state.ledger().read(new DocumentKey.OfClusterName("a/b")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("slash");
  }

  @Test
  void aBatchThatIsNoBatchIsRefused() {
    assertThatThrownBy(() ->
            state
                .ledger()
                .commit(List.of(new LedgerWrite.Put(ticks(1)), new LedgerWrite.Delete(TICKS))))
        .hasMessageContaining("twice in one batch: deployment/tick-schedule");
  }

  @Test
  void aDatabaseThatIsNotThereIsUnavailable() {
    try (var nobody = FirestoreDatabase.open(settings.withEmulator("127.0.0.1:1"))) {
      assertThatThrownBy(() -> nobody.ledger().commit(List.of(new LedgerWrite.Put(ticks(1)))))
          .isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void aWatchSurvivesConnectionsThatAreDropped() throws Exception {
    try (var wire = new BreakableProxy(settings.emulatorHost().orElseThrow());
        var far = FirestoreDatabase.open(settings.withEmulator("127.0.0.1:" + wire.port()))) {
      var told = new LinkedBlockingQueue<Instant>();
      ring(1);
      try (var _ = far.ledger().watch("c", changeSignal -> told.add(changeSignal.work()))) {
        assertThat(told.poll(LIMIT, TimeUnit.SECONDS)).isEqualTo(DocumentFixtures.at(1));

        wire.breakWhile(() -> ringAmongTheDead(2));
        assertThat(newsAfter(DocumentFixtures.at(1), told)).isEqualTo(DocumentFixtures.at(2));
        assertThat(far.ledger().read(new DocumentKey.OfChangeSignal("c"))).isPresent();
      }
    }
  }

  /** What the old stream told may come again. */
  private static Instant newsAfter(Instant old, LinkedBlockingQueue<Instant> told)
      throws InterruptedException {
    var next = told.poll(LIMIT, TimeUnit.SECONDS);
    return old.equals(next) ? newsAfter(old, told) : next;
  }

  /**
   * Google's emulator tells a commit's listeners before it answers, and answers with the error of
   * one whose connection has just gone. The note may be repeated.
   */
  private void ringAmongTheDead(int second) {
    try {
      ring(second);
    } catch (UnavailableException e) {
      ring(second);
    }
  }

  private void ring(int second) {
    state
        .ledger()
        .commit(List.of(new LedgerWrite.Signal("c", DocumentFixtures.at(second), true, List.of())));
  }

  @Test
  void thousandsOfShardsAreSummed() {
    for (var batch = 0; batch < 6; batch++) {
      var ledgerWrites = new ArrayList<LedgerWrite>();
      for (var i = batch * 400L; i < (batch + 1) * 400L; i++)
        ledgerWrites.add(
            new LedgerWrite.Create(
                Shard.of(new DocumentKey.OfShard("c", "j", i), i + 1, TaskSet.none(i))));
      assertThat(state.ledger().commit(ledgerWrites).done()).isTrue();
    }

    assertThat(state.ledger().totals(new DocumentKey.OfJob("c", "j")).ready()).isEqualTo(2400);
  }

  private static TickSchedule ticks(long second) {
    return new TickSchedule(TickSchedule.Want.RUN, Instant.ofEpochSecond(second));
  }
}
