package dev.mayfly.sim.fake;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;
import java.time.Duration;
import java.util.function.Consumer;

/** Delivers hints after a while: as sent, twice, late and so out of order, or never. */
public final class SimBus implements Bus {
  private final SimTime time;
  private final Dice dice;
  private final Weather weather;
  private final Consumer<Hint> receiver;

  public SimBus(SimTime time, Dice dice, Weather weather, Consumer<Hint> receiver) {
    this.time = time;
    this.dice = dice;
    this.weather = weather;
    this.receiver = receiver;
  }

  @Override
  public void send(Hint hint) {
    if (weather.strikes(Fault.BUS_LOSE)) return;
    deliver(hint);
    if (weather.strikes(Fault.BUS_DUPLICATE)) deliver(hint);
  }

  private void deliver(Hint hint) {
    var delay =
        weather.strikes(Fault.BUS_LATE)
            ? weather.dice(Fault.BUS_LATE).seconds(1, 300)
            : Duration.ofMillis(dice.between(5, 60));
    time.after(delay, () -> receiver.accept(hint));
  }
}
