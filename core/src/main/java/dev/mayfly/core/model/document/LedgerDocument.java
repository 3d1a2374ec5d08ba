package dev.mayfly.core.model.document;

/** A document in the ledger. Field names are for people: the console is a user interface. */
public sealed interface LedgerDocument
    permits Cluster,
        ClusterName,
        Worker,
        WorkerHost,
        Job,
        JobName,
        Schedule,
        Shard,
        TaskAddition,
        JobQueue,
        ChangeSignal,
        ServingHistory,
        Heartbeats,
        EventRecord,
        Stockout,
        RejectedMessage,
        TickSchedule,
        TpuCreateQuota,
        Usage,
        Usage.Month {
  DocumentKey<?> key();
}
