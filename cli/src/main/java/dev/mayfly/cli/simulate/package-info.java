/**
 * {@code mayfly simulate}: what jobs would take and cost, asked before anything runs. Start with
 * {@link dev.mayfly.cli.simulate.SimulateCommand}; {@link dev.mayfly.cli.simulate.ScenarioReader}
 * reads the file.
 */
@NullMarked
package dev.mayfly.cli.simulate;

import org.jspecify.annotations.NullMarked;
