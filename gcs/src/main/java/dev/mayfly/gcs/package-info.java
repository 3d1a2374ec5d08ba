/**
 * Object storage: Cloud Storage and plain files behind one port.
 *
 * <p>Start with {@link dev.mayfly.gcs.ObjectStores}, which makes one {@link
 * dev.mayfly.core.port.ObjectStore} for every kind of URL. The adapters are {@link
 * dev.mayfly.gcs.GcsObjectStore} and {@link dev.mayfly.gcs.FileObjectStore}; both pass {@code
 * ObjectStoreContract} (in module {@code local}, which has the server that they need).
 */
@NullMarked
package dev.mayfly.gcs;

import org.jspecify.annotations.NullMarked;
