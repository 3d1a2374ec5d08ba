package dev.mayfly.core.plan;

import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Resources;

/**
 * What one running job still asks for.
 *
 * @param need what one task takes
 * @param place where it may run
 * @param ready open tasks that nobody holds
 * @param leased open tasks that workers hold, running or not
 */
public record Demand(
    String job, String name, Resources need, Place place, long ready, long leased) {}
