package dev.mayfly.gcp.firestore;

import dev.mayfly.core.port.Ledger;
import java.util.SplittableRandom;

/** An open database; creates the adapter of {@link Ledger} that stores state in Firestore. */
public final class FirestoreDatabase implements AutoCloseable {
  private final FirestoreLedger ledger;

  private FirestoreDatabase(FirestoreLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * Connects at the first call. One instance serves a whole process and is thread-safe. Throws
   * {@link dev.mayfly.core.error.DeniedException} if there are no credentials.
   */
  public static FirestoreDatabase open(FirestoreSettings settings) {
    return new FirestoreDatabase(new FirestoreLedger(settings, new SplittableRandom()));
  }

  public Ledger ledger() {
    return ledger;
  }

  /** Closes all watches and the connection. */
  @Override
  public void close() {
    ledger.close();
  }
}
