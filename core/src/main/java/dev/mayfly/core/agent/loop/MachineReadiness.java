package dev.mayfly.core.agent.loop;

import dev.mayfly.core.model.Resources;

/** Whether a machine can run tasks: what its preparation has come to. */
public sealed interface MachineReadiness {

  /** Mounts, images and devices are being seen to: no task is taken yet. */
  record Preparing(String what) implements MachineReadiness {}

  /**
   * Ready for tasks.
   *
   * @param offered what was found; tasks get this at most, and never more than was ordered
   */
  record Ready(Resources offered) implements MachineReadiness {}

  /** Something that tasks need is not there: none is taken, and people are told why. */
  record Unfit(String why) implements MachineReadiness {}
}
