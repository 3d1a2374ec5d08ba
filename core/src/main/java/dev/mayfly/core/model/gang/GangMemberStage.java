package dev.mayfly.core.model.gang;

/** The progress of one host in a run. */
public enum GangMemberStage {
  /** The host has nothing of the run. */
  IDLE,
  /** Image and code are there, and the devices are free. */
  PREPARED,
  RUNNING,
  /** The command ended by itself and none of its processes is left. */
  EXITED,
  /** The result is in the store, with its sentinel. */
  PUBLISHED,
  /** Nothing of the run is left and nothing of it will start, or the machine is proved gone. */
  CLEAR
}
