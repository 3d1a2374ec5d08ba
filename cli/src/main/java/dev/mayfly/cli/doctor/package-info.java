/**
 * Checks of a laptop and of a Google Cloud project, each with its remedy.
 *
 * <p>Start with {@link dev.mayfly.cli.doctor.DoctorCommand}; nothing here changes anything.
 */
@NullMarked
package dev.mayfly.cli.doctor;

import org.jspecify.annotations.NullMarked;
