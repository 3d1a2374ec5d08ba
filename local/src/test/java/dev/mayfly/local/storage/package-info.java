/**
 * Cloud Storage's JSON API over plain folders: one handler for each group of calls.
 *
 * <p>Start at StorageApi for what it serves; storage.bucket stores it.
 */
@NullMarked
package dev.mayfly.local.storage;

import org.jspecify.annotations.NullMarked;
