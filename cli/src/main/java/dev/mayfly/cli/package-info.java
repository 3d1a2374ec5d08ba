/** The command {@code mayfly}: a class for each verb. */
@NullMarked
package dev.mayfly.cli;

import org.jspecify.annotations.NullMarked;
