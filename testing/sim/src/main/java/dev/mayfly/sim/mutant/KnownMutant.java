package dev.mayfly.sim.mutant;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.sim.control.ControlPlaneEntry;
import dev.mayfly.sim.world.HostProcesses;
import dev.mayfly.sim.world.Mutant;
import dev.mayfly.sim.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** The mutants that the simulation is known to find. */
public enum KnownMutant implements Mutant {
  /** Documents are written without a check of their version. */
  NO_FENCING_OF_DOCUMENTS(LedgerMutants.Unfenced::new),

  /** Neither holder of a lease reports a task that another attempt finished. */
  BOTH_SIDES_DROP_A_FINISHED_TASK {
    @Override
    public SyncReport incomingReport(SyncReport report, World world) {
      return ReportMutants.mapped(report, lease -> ReportMutants.ownOnly(lease, world));
    }
  },

  /** A slow machine is given up while its order is still pending. */
  DELETE_ON_SLOW_CREATE {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return ChangedPorts.withFleet(
          maker, (fleet, context) -> new FleetMutants.DeletesSlowCreates(fleet, context.clock()));
    }
  },

  /** A requested kill counts as confirmed. */
  CAPACITY_FREED_BEFORE_THE_KILL {
    @Override
    public void kill(AgentEffect.Kill kill, HostProcesses hostProcesses) {
      hostProcesses.kill(kill);
      hostProcesses.pretendKilled(kill.attempt());
    }
  },

  /** A machine that no longer exists is an error. */
  LOOP_DIES_ON_A_404 {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return ChangedPorts.withFleet(maker, (fleet, context) -> new FleetMutants.FailsOn404(fleet));
    }
  },

  /** Time in which no syncs were served counts as silence. */
  SHARED_SILENCE_TAKEN_AS_LOSS {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return ChangedPorts.withLedger(
          maker, (ledger, context) -> new LedgerMutants.AlwaysServed(ledger, context.clock()));
    }
  },

  /** The job's state is read once and then trusted. */
  STOP_NOT_LOOKED_UP_AGAIN {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return ChangedPorts.withLedger(
          maker, (ledger, context) -> new LedgerMutants.StaleJobs(ledger, context.clock()));
    }
  },

  /** A sentinel is written even if one exists. */
  SENTINEL_REPLACED {
    @Override
    public ObjectStore objectStore(ObjectStore objectStore) {
      return new ObjectStoreMutants.ReplacesSentinels(objectStore);
    }
  },

  /** Whoever stored an output without a sentinel, it counts as the task's result. */
  A_STALE_OUTPUT_TAKEN_FOR_A_RESULT {
    @Override
    public ObjectStore objectStore(ObjectStore objectStore) {
      return new ObjectStoreMutants.AdoptsAnything(objectStore);
    }
  },

  /** An object with sentinels of many tasks gets a name that is free, whatever others are there. */
  SHARED_SENTINELS_PASS_EACH_OTHER {
    @Override
    public ObjectStore objectStore(ObjectStore objectStore) {
      return new ObjectStoreMutants.SharesBlindly(objectStore);
    }
  },

  /** Sentinels of many tasks that could not be stored count as stored. */
  UNSTORED_SENTINELS_COUNT {
    @Override
    public AgentEvent incomingEvent(AgentEvent event) {
      return ReportMutants.storedTogether(event);
    }
  },

  /** Exit code 0 means success, whatever the agent saw of its disk. */
  A_FULL_DISK_IS_IGNORED {
    @Override
    public boolean delivers(AgentEvent event) {
      return !(event instanceof AgentEvent.DiskUnusable);
    }
  },

  /** A message is acknowledged before it is done. */
  ACKNOWLEDGED_TOO_EARLY {
    @Override
    public boolean acknowledgesFirst() {
      return true;
    }
  },

  /** A message is ordered by its delivery, not by its publication. */
  MESSAGES_COUNT_FROM_THEIR_DELIVERY {
    @Override
    public UserMessage incomingMessage(UserMessage userMessage, World world) {
      return MessageMutants.published(userMessage, world.time().instant());
    }
  },

  /** A preemption is charged to the user's own attempts. */
  PREEMPTION_CHARGED_TO_THE_USER {
    @Override
    public SyncReport incomingReport(SyncReport report, World world) {
      return ReportMutants.mapped(report, l -> ReportMutants.failures(l, ReportMutants::userFault));
    }
  },

  /** What a user stopped counts as ended for a job of a higher priority. */
  A_STOP_TAKEN_FOR_A_PREEMPTION {
    @Override
    public SyncReport incomingReport(SyncReport report, World world) {
      return ReportMutants.mapped(
          report, lease -> ReportMutants.failures(lease, ReportMutants::stoppedForAnother));
    }
  },

  /** A host of a gang counts as prepared when it is ordered to prepare. */
  GANG_STARTS_BEFORE_ALL_ARE_PREPARED {
    @Override
    public SyncReport incomingReport(SyncReport report, World world) {
      return ReportMutants.gangs(report, ReportMutants::preparedEarly);
    }
  },

  /** A gang's output is published although not all hosts succeeded. */
  GANG_PUBLISHES_A_HALF {
    @Override
    public SyncReport incomingReport(SyncReport report, World world) {
      return ReportMutants.gangs(report, ReportMutants::failureAsSuccess);
    }
  },

  /** Every machine with a label of our kind counts as ours. */
  SWEEP_WITHOUT_THE_EXACT_LABEL {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return ChangedPorts.withFleet(
          maker, (fleet, context) -> new FleetMutants.WrongLabel(fleet, context.ledger()));
    }
  },

  /** One unreadable document stops reconciling for every cluster. */
  A_BAD_DOCUMENT_STOPS_ALL_ROUNDS {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return (context, name) ->
          new ControlPlaneMutants.StopsAtUnreadable(maker.make(context, name), context.ledger());
    }
  },

  /** A right that our own account lacks counts as the user's error. */
  OUR_DENIAL_TAKEN_FOR_A_REFUSAL {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return (context, name) -> new ControlPlaneMutants.DropsDenied(maker.make(context, name));
    }
  },

  /** Agents wait long for a stalled instance, and are blamed for their silence. */
  A_WAITING_CALL_OUTLIVES_ITS_DUE_TIME {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return ControlPlaneMutants::blamesWorkers;
    }

    @Override
    public AgentSettings settings(AgentSettings settings) {
      return settings.with(ReportMutants.longWait(settings.sync()));
    }
  },

  /** A gang's grant is larger than a batch. */
  A_GANG_FITS_NO_BATCH(LedgerMutants.SmallBatches::new),

  /** A gang is ended a moment after its first host, regardless of the job's spec. */
  THE_LAST_HOST_IS_NOT_WAITED_FOR {
    @Override
    public UserMessage incomingMessage(UserMessage userMessage, World world) {
      return MessageMutants.shortGangEnd(userMessage, world);
    }
  },

  /** Ordered machines count only once they exist. */
  MACHINES_ON_THEIR_WAY_ARE_NOT_COUNTED(LedgerMutants.HidesOrderedWorkers::new),

  /** Each delivery of a submission is a new job. */
  A_REPEATED_SUBMISSION_IS_ANOTHER_JOB {
    @Override
    public UserMessage incomingMessage(UserMessage userMessage, World world) {
      return MessageMutants.newSubmission(userMessage, world);
    }
  },

  /** A machine counts as gone once its deletion is accepted. */
  AN_ACCEPTED_DELETE_TAKEN_FOR_THE_END {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      var forgotten = new HashSet<CloudMachine.Name>();
      return ChangedPorts.withFleet(
          maker, (fleet, context) -> new FleetMutants.ForgetsDeleted(fleet, forgotten));
    }
  },

  /** A job starts although its predecessors have not ended. */
  A_WAITING_JOB_STARTS_AT_ONCE(LedgerMutants.StartsAtOnce::new),

  /** At the deadline of a drain its tasks are killed at once. */
  A_DRAIN_KILLS_AT_ITS_DEADLINE {
    @Override
    public void kill(AgentEffect.Kill kill, HostProcesses hostProcesses) {
      hostProcesses.kill(ReportMutants.atOnceIfDrained(kill));
    }
  },

  /** The end of a machine's life is planned for after the cloud has deleted the machine. */
  A_LIFE_ENDS_BEFORE_ITS_TASKS(LedgerMutants.LateEnds::new),

  /** Nobody remembers that a machine gave its room back. */
  GIVEN_BACK_ROOM_IS_FORGOTTEN(LedgerMutants.ForgetsRoom::new),

  /** Every full pool is a reason, whether the job may use it or not. */
  REASONS_NAME_EVERY_POOL(ReasonMutants::ofEveryPool),

  /** A job with its place on a machine that only has to report is told nothing. */
  WHAT_COMES_IS_NO_REASON((vetoes, _) -> ReasonMutants.withoutComing(vetoes)),

  /** A refusal is told of a zone that refused nothing. */
  A_REFUSAL_OF_ANOTHER_ZONE(ReasonMutants::ofFirstZone),

  /** A gang's busy machines are told as free ones. */
  BUSY_MACHINES_TAKEN_FOR_FREE((vetoes, _) -> ReasonMutants.busyAsFree(vetoes)),

  /** A budget is told without the machines that end. */
  ENDING_MACHINES_COST_NOTHING(ReasonMutants::withoutEnding),

  /** A full machine is said to take tasks at its next report. */
  FULL_MACHINES_PROMISE_ROOM((vetoes, _) -> ReasonMutants.fullAsFree(vetoes)),

  /** A machine that was added to its day is added again. */
  ENDED_MACHINES_COUNT_TWICE(LedgerMutants.KeepsEnded::new),

  /** What a job cost on machines that have ended is forgotten. */
  ENDED_MACHINES_COST_A_JOB_NOTHING(LedgerMutants.ForgetsSpending::new),

  /** What a month cost on machines that have ended is forgotten. */
  ENDED_MACHINES_COST_A_MONTH_NOTHING(LedgerMutants.ForgetsMonth::new),

  /** A notification that the topic did not accept counts as published. */
  A_REFUSED_NOTIFICATION_TAKEN_FOR_PUBLISHED {
    @Override
    public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
      return (p, name) -> maker.make(p.with(MessageMutants.forgetful(p.notifications())), name);
    }
  };

  private final BiFunction<List<Veto>, ClusterSnapshot, List<Veto>> reasons;

  private final UnaryOperator<Ledger> ledgers;

  KnownMutant() {
    this((vetoes, _) -> vetoes);
  }

  KnownMutant(BiFunction<List<Veto>, ClusterSnapshot, List<Veto>> reasons) {
    this.reasons = reasons;
    ledgers = UnaryOperator.identity();
  }

  KnownMutant(UnaryOperator<Ledger> ledgers) {
    reasons = (vetoes, _) -> vetoes;
    this.ledgers = ledgers;
  }

  @Override
  public ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
    return ChangedPorts.withLedger(maker, (ledger, _) -> ledgers.apply(ledger));
  }

  @Override
  public List<Veto> reasons(ClusterSnapshot snapshot, String job) {
    return reasons.apply(Mutant.NONE.reasons(snapshot, job), snapshot);
  }
}
