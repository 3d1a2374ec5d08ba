package dev.mayfly.core.agent.loop;

import dev.mayfly.core.model.Resources;

/** Whether a machine can run tasks, as far as its preparation has come. */
public sealed interface MachineReadiness {

  /** Mounts, images and devices are being prepared; no task is accepted yet. */
  record Preparing(String what) implements MachineReadiness {}

  /**
   * Ready for tasks.
   *
   * @param offered the resources found; tasks get at most these, and never more than was ordered
   */
  record Ready(Resources offered) implements MachineReadiness {}

  /** Something that tasks need is missing. No task is accepted, and the reason is reported. */
  record Unfit(String why) implements MachineReadiness {}
}
