/**
 * Commands about a cluster's storage.
 *
 * <p>Start with {@link dev.mayfly.cli.storage.StorageCommand}; copying is with the other copies, in
 * {@link dev.mayfly.cli.copy.StorageCopyCommand}.
 */
@NullMarked
package dev.mayfly.cli.storage;

import org.jspecify.annotations.NullMarked;
