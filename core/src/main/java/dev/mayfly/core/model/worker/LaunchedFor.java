package dev.mayfly.core.model.worker;

import java.util.Optional;

/**
 * The job for whose tasks a machine is launched. It may run tasks of others too.
 *
 * @param job its name
 * @param owner as the job claims
 */
public record LaunchedFor(String job, Optional<String> owner) {}
