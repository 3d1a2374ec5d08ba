package dev.mayfly.core.model;

/** Whatever the ledger stores. Field names are for people: the console is a user interface. */
public sealed interface Document
    permits Cluster,
        ClusterName,
        Worker,
        WorkerHost,
        Job,
        JobName,
        Shard,
        Turns,
        Pulse,
        Served,
        Beats,
        Event,
        Stockout,
        Rejection,
        Ticks,
        Creations {
  Key<?> key();
}
