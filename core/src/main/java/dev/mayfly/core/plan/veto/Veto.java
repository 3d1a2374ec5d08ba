package dev.mayfly.core.plan.veto;

/**
 * Why something that is wanted does not happen now: what it is and its values, without words. Equal
 * causes are equal values.
 */
public sealed interface Veto
    permits ShapeVeto,
        ClusterVeto,
        PoolVeto,
        ZoneVeto,
        WorkerVeto,
        ComingVeto,
        LimitVeto,
        JobVeto {}
