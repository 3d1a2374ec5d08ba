package dev.mayfly.core.state;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.TriggerBus;
import java.time.InstantSource;

/** The ports and times that the handling of syncs uses. */
public record SyncContext(
    Ledger ledger,
    TriggerBus bus,
    Alarms alarms,
    IdGenerator ids,
    InstantSource clock,
    Timings rules) {}
