package dev.mayfly.sim.rounds;

import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimMachine;

/** Machines that nobody hears of. */
record SilentPower() implements SimFleet.Power {
  @Override
  public void on(SimMachine machine) {}

  @Override
  public void off(SimMachine machine) {}

  @Override
  public void notice(SimMachine machine) {}

  @Override
  public void deleteAsked(SimMachine machine) {}
}
