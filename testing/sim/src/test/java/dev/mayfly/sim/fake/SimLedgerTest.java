package dev.mayfly.sim.fake;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.porttests.LedgerContract;
import dev.mayfly.porttests.LedgerQueryContract;
import dev.mayfly.porttests.LedgerWatchContract;
import dev.mayfly.porttests.UnreadableDocumentContract;
import dev.mayfly.sim.engine.SimTime;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

class SimLedgerTest {
  private final SimTime time = new SimTime(DocumentFixtures.T0);
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
  class Unreadable extends UnreadableDocumentContract {
    @Override
    protected Ledger ledger() {
      return ledger;
    }

    @Override
    protected void corrupt(DocumentKey<?> documentKey, String field) {
      ledger.spoil(documentKey);
    }
  }

  @Nested
  class Watches extends LedgerWatchContract {
    @Override
    protected Ledger ledger() {
      return ledger;
    }

    @Override
    protected @Nullable ChangeSignal next(BlockingQueue<ChangeSignal> told) {
      time.advance(Duration.ofSeconds(1));
      return told.poll();
    }
  }
}
