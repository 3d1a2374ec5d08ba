/**
 * What every command uses: {@link dev.mayfly.cli.context.CliContext}, the shared options and the
 * files of documents.
 *
 * <p>Start with {@link dev.mayfly.cli.context.CliContext}, which opens files and connections on
 * first use.
 */
@NullMarked
package dev.mayfly.cli.context;

import org.jspecify.annotations.NullMarked;
