package dev.mayfly.agent.logs;

import java.io.IOException;

/** What is stored of an attempt in numbered objects, each created once. Not thread-safe. */
interface StoredPieces {
  /** Whether there never was anything to store. */
  boolean untouched() throws IOException;

  /** Whether there is something that {@link #send} would store. */
  boolean hasNew() throws IOException;

  /** Whether {@link #send} must be called now. */
  boolean overflowing() throws IOException;

  /** Stores what is new. */
  void send() throws IOException;

  /** Stores the rest, after the attempt's last process has ended. */
  void finish() throws IOException;

  /** Ends without the rest. */
  void giveUp() throws IOException;
}
