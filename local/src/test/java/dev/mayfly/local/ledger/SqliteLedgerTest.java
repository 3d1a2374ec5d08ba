package dev.mayfly.local.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Meter;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Write;
import dev.mayfly.porttests.LedgerContract;
import dev.mayfly.porttests.LedgerQueryContract;
import dev.mayfly.porttests.LedgerWatchContract;
import dev.mayfly.porttests.UnreadableContract;
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
  private static final Key.OfTicks TICKS = new Key.OfTicks();

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
  class Unreadable extends UnreadableContract {
    @Override
    protected Ledger ledger() {
      return ledger;
    }

    @Override
    protected void spoil(Key<?> key, String field) {
      edit(key, "$." + field, "hibernating");
    }
  }

  /** As a person would in any program for SQLite. */
  private void edit(Key<?> key, String field, String word) {
    try (var file = DriverManager.getConnection("jdbc:sqlite:" + home.resolve("ledger/ledger.db"));
        var change =
            file.prepareStatement("update docs set json = json_set(json, ?, ?) where path = ?")) {
      change.setString(1, field);
      change.setString(2, word);
      change.setString(3, key.path());
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
  void whatWasCommittedIsThereWhenItIsOpenedAgain() {
    ledger.commit(List.of(new Write.Put(ticks(1))));
    var stored = ledger.read(TICKS);
    ledger.close();

    ledger = SqliteLedger.open(home);

    assertThat(ledger.read(TICKS)).isEqualTo(stored);
    ledger.commit(List.of(new Write.Delete(TICKS)));
    ledger.commit(List.of(new Write.Create(ticks(1))));
    assertThat(ledger.read(TICKS).orElseThrow().version())
        .isNotEqualTo(stored.orElseThrow().version());
  }

  @Test
  void ofManyWhoUpdateOneVersionOneSucceeds() throws Exception {
    ledger.commit(List.of(new Write.Put(ticks(0))));
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
      if (ledger.commit(List.of(new Write.Update(next, old.version()))).done()) added++;
    }
    return added;
  }

  @Test
  void operationsAreCountedAsFirestoreWouldChargeThem() {
    var shards = new ArrayList<Write>();
    for (var i = 0; i < 5; i++)
      shards.add(new Write.Create(Shard.of(new Key.OfShard("c", "j", i), i + 1, Bits.none(i))));

    var meter = new Meter();
    var counted = meter.around(ledger);
    counted.commit(shards);
    counted.commit(List.of(shards.getFirst()));
    counted.commit(List.of(new Write.Delete(TICKS)));
    counted.read(TICKS);
    counted.readAll(List.of(new Key.OfShard("c", "j", 0), new Key.OfShard("c", "j", 9)));
    counted.query(new Query.ReadyShards("c", "j", 0, 3));
    counted.query(new Query.Stockouts());
    counted.totals(new Key.OfJob("c", "j"));

    assertThat(meter.operations())
        .isEqualTo(new Meter.Operations(0, 1 + 2 + 3 + 1 + 1, 5, 1, 2, 1));
  }

  @Test
  void aBatchThatIsNoBatchIsRefused() {
    assertThatThrownBy(
            () -> ledger.commit(List.of(new Write.Put(ticks(1)), new Write.Delete(TICKS))))
        .hasMessageContaining("twice in one batch: deployment/ticks");
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
    assertThat(ledger.query(new Query.Shards("c", "j", 0, 100_000)).complete())
        .hasSize((int) stored);
    assertThat(ledger.commit(List.of(new Write.Put(ticks(0)))).done()).isTrue();
  }

  static Ticks ticks(long second) {
    return new Ticks(Ticks.Want.RUN, Instant.ofEpochSecond(second));
  }

  /** Commits two documents at a time and says so, until it is killed. */
  static final class Committer {
    private Committer() {}

    public static void main(String[] args) {
      var ledger = SqliteLedger.open(Path.of(args[0]));
      for (var i = 1L; i < 100_000; i++) {
        var shard = Shard.of(new Key.OfShard("c", "j", i), i + 1, Bits.none(i));
        if (!ledger.commit(List.of(new Write.Create(shard), new Write.Put(ticks(i)))).done())
          return;
        System.out.println(i);
        System.out.flush();
      }
    }
  }
}
