/**
 * Object storage: Cloud Storage and plain files behind one port.
 *
 * <p>Start with {@link dev.mayfly.gcs.ObjectStores}, which gives one {@link
 * dev.mayfly.core.port.Objects} for every kind of URL. The adapters are {@link
 * dev.mayfly.gcs.GcsObjects} and {@link dev.mayfly.gcs.FileObjects}; both pass {@code
 * ObjectsContract} (in module {@code local}, which has the server that they need).
 */
@NullMarked
package dev.mayfly.gcs;

import org.jspecify.annotations.NullMarked;
