package dev.mayfly.core.query.cost;

import dev.mayfly.core.model.document.Job;
import java.time.LocalDate;
import java.util.Optional;

/**
 * @param since the first day, in UTC
 * @param job only what its tasks cost; empty for the whole cluster
 */
public record CostRequest(CostBy by, LocalDate since, Optional<Job> job) {}
