package dev.mayfly.gcp.pubsub;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserTopic;
import java.util.List;

/** The topics of a deployment, and the topic of each trigger. */
public final class PubSubTopics {
  public static final String JOBS = UserTopic.JOBS.id();
  public static final String CLUSTERS = UserTopic.CLUSTERS.id();
  public static final String TICKS = "mayfly-ticks";
  public static final String VM_EVENTS = "mayfly-vm-events";

  /** What people and their programs are told; anyone may subscribe. */
  public static final String NOTIFICATIONS = "mayfly-notifications";

  public static final List<String> ALL = List.of(JOBS, CLUSTERS, TICKS, VM_EVENTS, NOTIFICATIONS);

  /** The attribute that distinguishes triggers from users' messages. */
  public static final String TRIGGER = "mayfly-trigger";

  private PubSubTopics() {}

  /** The topic whose function handles the trigger. */
  public static String of(Trigger trigger) {
    return switch (trigger) {
      case Trigger.StartWaiting _ -> JOBS;
      case Trigger.RunSchedules _ -> JOBS;
      case Trigger.Expand _ -> JOBS;
      case Trigger.Finalize _ -> JOBS;
      case Trigger.Reconcile _ -> TICKS;
      case Trigger.Tick _ -> TICKS;
      case Trigger.CollectOrphans _ -> TICKS;
    };
  }
}
