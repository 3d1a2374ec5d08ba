package dev.mayfly.local.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.porttests.LedgerContract;
import dev.mayfly.porttests.LedgerQueryContract;
import dev.mayfly.porttests.LedgerWatchContract;
import dev.mayfly.porttests.UnreadableDocumentContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerTest {
  private static final DocumentKey.OfTickSchedule TICKS = new DocumentKey.OfTickSchedule();

  @TempDir Path home;
  private SqliteLedger ledger;

  @BeforeEach
  void open() {
    ledger = SqliteLedger.open(home);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  @Nested
  class Contract extends LedgerContract {
    @Override
    protected Ledger ledger() {
      return ledger;
    }
  }

  @Nested
  class Queries extends LedgerQueryContract {
    @Override
    protected Ledger ledger() {
      return ledger;
    }
  }

  @Nested
  class Unreadable extends UnreadableDocumentContract {
    @Override
    protected Ledger ledger() {
      return ledger;
    }

    @Override
    protected void corrupt(DocumentKey<?> documentKey, String field) {
      edit(documentKey, "$." + field, "hibernating");
    }
  }

  /** As a person would in any program for SQLite. */
  private void edit(DocumentKey<?> documentKey, String field, String word) {
    try (var file = DriverManager.getConnection("jdbc:sqlite:" + home.resolve("ledger/ledger.db"));
        var change =
            file.prepareStatement("update docs set json = json_set(json, ?, ?) where path = ?")) {
      change.setString(1, field);
      change.setString(2, word);
      change.setString(3, documentKey.path());
      assertThat(change.executeUpdate()).isEqualTo(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Nested
  class Watches extends LedgerWatchContract {
    @Override
    protected Ledger ledger() {
      return ledger;
    }
  }

  @Test
  void commitsSurviveReopening() {
    ledger.commit(List.of(new LedgerWrite.Put(ticks(1))));
    var stored = ledger.read(TICKS);
    ledger.close();

    ledger = SqliteLedger.open(home);

    assertThat(ledger.read(TICKS)).isEqualTo(stored);
    ledger.commit(List.of(new LedgerWrite.Delete(TICKS)));
    ledger.commit(List.of(new LedgerWrite.Create(ticks(1))));
    assertThat(ledger.read(TICKS).orElseThrow().version())
        .isNotEqualTo(stored.orElseThrow().version());
  }

  @Test
  void ofManyWhoUpdateOneVersionOneSucceeds() throws Exception {
    ledger.commit(List.of(new LedgerWrite.Put(ticks(0))));
    try (var threads = Executors.newFixedThreadPool(4)) {
      var added = new ArrayList<Future<Integer>>();
      for (var i = 0; i < 4; i++) added.add(threads.submit(this::addTwentyFive));
      for (var each : added) assertThat(each.get(180, TimeUnit.SECONDS)).isEqualTo(25);
    }

    assertThat(ledger.read(TICKS).orElseThrow().value()).isEqualTo(ticks(100));
  }

  private int addTwentyFive() {
    var added = 0;
    while (added < 25) {
      var old = ledger.read(TICKS).orElseThrow();
      var next = ticks(old.value().since().getEpochSecond() + 1);
      if (ledger.commit(List.of(new LedgerWrite.Update(next, old.version()))).done()) added++;
    }
    return added;
  }

  @Test
  void operationsAreCountedAsFirestoreWouldChargeThem() {
    var shards = new ArrayList<LedgerWrite>();
    for (var i = 0; i < 5; i++)
      shards.add(
          new LedgerWrite.Create(
              Shard.of(new DocumentKey.OfShard("c", "j", i), i + 1, TaskSet.none(i))));

    var ledgerMeter = new LedgerMeter();
    var counted = ledgerMeter.wrap(ledger);
    counted.commit(shards);
    counted.commit(List.of(shards.getFirst()));
    counted.commit(List.of(new LedgerWrite.Delete(TICKS)));
    counted.read(TICKS);
    counted.readAll(
        List.of(new DocumentKey.OfShard("c", "j", 0), new DocumentKey.OfShard("c", "j", 9)));
    counted.query(new LedgerQuery.ReadyShards("c", "j", 0, 3));
    counted.query(new LedgerQuery.Stockouts());
    counted.totals(new DocumentKey.OfJob("c", "j"));

    assertThat(ledgerMeter.operations())
        .isEqualTo(new LedgerMeter.Operations(0, 1 + 2 + 3 + 1 + 1, 5, 1, 2, 1));
  }

  @Test
  void aBatchThatIsNoBatchIsRefused() {
    assertThatThrownBy(() ->
            ledger.commit(List.of(new LedgerWrite.Put(ticks(1)), new LedgerWrite.Delete(TICKS))))
        .hasMessageContaining("twice in one batch: deployment/tick-schedule");
  }

  @Test
  void theNativeLibraryIsUnpackedOnceAndNothingElse() throws IOException {
    try (var files = Files.walk(home.resolve("native"))) {
      assertThat(files.filter(Files::isRegularFile)).hasSize(1);
    }
  }

  @Test
  void whatWasAcknowledgedSurvivesAKill() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var child =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Committer.class.getName(),
                home.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var acknowledged = 0L;
    try (var out = child.inputReader()) {
      while (acknowledged < 200) acknowledged = Long.parseLong(out.readLine());
    } finally {
      child.destroyForcibly().waitFor(180, TimeUnit.SECONDS);
    }

    var stored = ledger.read(TICKS).orElseThrow().value().since().getEpochSecond();

    assertThat(stored).isGreaterThanOrEqualTo(acknowledged);
    assertThat(ledger.query(new LedgerQuery.Shards("c", "j", 0, 100_000)).requireComplete())
        .hasSize((int) stored);
    assertThat(ledger.commit(List.of(new LedgerWrite.Put(ticks(0)))).done()).isTrue();
  }

  static TickSchedule ticks(long second) {
    return new TickSchedule(TickSchedule.Want.RUN, Instant.ofEpochSecond(second));
  }

  /** Commits two documents at a time and says so, until it is killed. */
  static final class Committer {
    private Committer() {}

    public static void main(String[] args) {
      var ledger = SqliteLedger.open(Path.of(args[0]));
      for (var i = 1L; i < 100_000; i++) {
        var shard = Shard.of(new DocumentKey.OfShard("c", "j", i), i + 1, TaskSet.none(i));
        if (!ledger
            .commit(List.of(new LedgerWrite.Create(shard), new LedgerWrite.Put(ticks(i))))
            .done()) return;
        System.out.println(i);
        System.out.flush();
      }
    }
  }
}
