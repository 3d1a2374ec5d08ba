package dev.mayfly.sim.fake;

import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.porttests.LedgerContract;
import dev.mayfly.porttests.LedgerQueryContract;
import dev.mayfly.porttests.LedgerWatchContract;
import dev.mayfly.porttests.Samples;
import dev.mayfly.porttests.UnreadableContract;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

class SimLedgerTest {
  private final SimTime time = new SimTime(Samples.T0);
  private final SimLedger ledger = new SimLedger(time, () -> Duration.ofMillis(5));

  @Nested
  class Documents extends LedgerContract {
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
      ledger.spoil(key);
    }
  }

  @Nested
  class Watches extends LedgerWatchContract {
    @Override
    protected Ledger ledger() {
      return ledger;
    }

    @Override
    protected @Nullable Pulse next(BlockingQueue<Pulse> told) {
      time.pass(Duration.ofSeconds(1));
      return told.poll();
    }
  }
}
