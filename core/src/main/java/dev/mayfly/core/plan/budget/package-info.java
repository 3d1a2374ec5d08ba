/** What a cluster's budget allows a plan, by the hour and by the month. */
@NullMarked
package dev.mayfly.core.plan.budget;

import org.jspecify.annotations.NullMarked;
