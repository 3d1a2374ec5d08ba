/** One class a trigger, and the wiring of a deployment. */
@NullMarked
package dev.mayfly.functions;

import org.jspecify.annotations.NullMarked;
