package dev.mayfly.gcp.firestore;

import dev.mayfly.core.port.Ledger;
import java.util.SplittableRandom;

/** An open database; makes the adapter of {@link Ledger} that keeps state in Firestore. */
public final class FirestoreDatabase implements AutoCloseable {
  private final FirestoreLedger ledger;

  private FirestoreDatabase(FirestoreLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * Connects at the first call, not before; one is enough for a process, from any thread. Throws
   * {@link dev.mayfly.core.error.DeniedException} where there are no credentials.
   */
  public static FirestoreDatabase open(FirestoreSettings settings) {
    return new FirestoreDatabase(new FirestoreLedger(settings, new SplittableRandom()));
  }

  public Ledger ledger() {
    return ledger;
  }

  /** Ends all watches and the connection. */
  @Override
  public void close() {
    ledger.close();
  }
}
