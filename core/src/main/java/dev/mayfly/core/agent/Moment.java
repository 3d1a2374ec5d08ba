package dev.mayfly.core.agent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What the parts of one agent share while an event is handled: the time, the effects so far, the
 * alarms.
 */
final class Moment {
  final AgentSettings settings;
  final Timers timers = new Timers();
  private final RandomGenerator random;
  private final String worker;
  private List<AgentEffect> effects = new ArrayList<>();
  private Clocks now;

  Moment(AgentSettings settings, RandomGenerator random, String worker, Clocks now) {
    this.settings = settings;
    this.random = random;
    this.worker = worker;
    this.now = now;
  }

  void begin(Clocks at) {
    now = at;
    effects = new ArrayList<>();
  }

  Clocks now() {
    return now;
  }

  long nanos() {
    return now.monotonicNanos();
  }

  String worker() {
    return worker;
  }

  void ask(AgentEffect effect) {
    effects.add(effect);
  }

  List<AgentEffect> effects() {
    return effects;
  }

  /**
   * A pause before try number {@code tries} + 1: anything up to a bound that doubles, so that
   * crowds disperse.
   */
  Duration pause(Duration first, int tries, Duration most) {
    var bound = Math.min(most.toNanos(), first.toNanos() << Math.min(Math.max(tries - 1, 0), 20));
    return Duration.ofNanos(random.nextLong(Math.max(1, bound)) + 1);
  }
}
