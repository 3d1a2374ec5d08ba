package dev.mayfly.sim.check;

import dev.mayfly.core.model.Command;
import java.time.Instant;

/** A command as it was published, however often it is delivered. */
public record Published(Instant at, Command command) {}
