package dev.mayfly.core.control;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Ledger;
import java.time.InstantSource;

/** The ports that everything about syncs uses, with the times that it goes by. */
record Deck(Ledger ledger, Bus bus, Alarms alarms, Ids ids, InstantSource clock, Rules rules) {}
