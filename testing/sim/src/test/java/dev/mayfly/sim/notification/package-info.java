/** Who is told of what, and that no crash or outage loses it. */
@NullMarked
package dev.mayfly.sim.notification;

import org.jspecify.annotations.NullMarked;
