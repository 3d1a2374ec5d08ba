package dev.mayfly.core.agent;

import dev.mayfly.core.model.Resources;

/** Whether a machine can run tasks: what its preparation has come to. */
public sealed interface Fitness {

  /** Mounts, images and devices are being seen to: no task is taken yet. */
  record Preparing(String what) implements Fitness {}

  /**
   * Ready for tasks.
   *
   * @param offered what was found; tasks get this at most, and never more than was ordered
   */
  record Fit(Resources offered) implements Fitness {}

  /** Something that tasks need is not there: none is taken, and people are told why. */
  record Unfit(String why) implements Fitness {}
}
