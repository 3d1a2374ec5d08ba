package dev.mayfly.sim.observation;

import dev.mayfly.core.model.message.UserCommand;
import java.time.Instant;

/** A command as it was published, however often it is delivered. */
public record PublishedCommand(Instant at, UserCommand command) {}
