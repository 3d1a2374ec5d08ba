/** What the machines of a cluster cost, and what for. */
@NullMarked
package dev.mayfly.core.query.cost;

import org.jspecify.annotations.NullMarked;
