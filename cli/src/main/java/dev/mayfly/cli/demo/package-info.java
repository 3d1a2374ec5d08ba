/**
 * Parts of the demo: its laptop cloud, its inputs, and the machines and functions that it takes
 * away.
 *
 * <p>Start with DemoCommand in dev.mayfly.cli.
 */
@NullMarked
package dev.mayfly.cli.demo;

import org.jspecify.annotations.NullMarked;
