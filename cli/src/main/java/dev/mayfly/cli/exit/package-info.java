/** How a command ends: {@link dev.mayfly.cli.exit.Exit} has the codes, by who can mend it. */
@NullMarked
package dev.mayfly.cli.exit;

import org.jspecify.annotations.NullMarked;
