package dev.mayfly.core.control;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Schedule;
import java.time.InstantSource;

/** All that the control plane asks of the world. */
public record Ports(
    Ledger ledger,
    Bus bus,
    Fleet fleet,
    Objects objects,
    Codec codec,
    Alarms alarms,
    Schedule schedule,
    Ids ids,
    InstantSource clock) {}
