package dev.mayfly.core.control;

/**
 * Calls for a pass some time later, one at a time: while one worker has nothing to do and others
 * have, what can be taken from them changes with time.
 */
final class StealAlarm {
  private final Deck deck;
  private final Runnable pass;
  private boolean set;

  StealAlarm(Deck deck, Runnable pass) {
    this.deck = deck;
    this.pass = pass;
  }

  void set() {
    synchronized (this) {
      if (set) return;
      set = true;
    }
    deck.alarms().at(deck.clock().instant().plus(deck.rules().stealPause()), this::ring);
  }

  private void ring() {
    synchronized (this) {
      set = false;
    }
    pass.run();
  }
}
