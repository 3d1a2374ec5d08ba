/**
 * What subscribers must be told. Start with {@link
 * dev.mayfly.sim.check.notification.EveryEndIsTold}.
 */
@NullMarked
package dev.mayfly.sim.check.notification;

import org.jspecify.annotations.NullMarked;
