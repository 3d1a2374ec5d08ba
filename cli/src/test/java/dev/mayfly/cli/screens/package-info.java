/** What people see on terminals of some widths, in one scene. */
@NullMarked
package dev.mayfly.cli.screens;

import org.jspecify.annotations.NullMarked;
