/**
 * Plain files as objects: how a file, its metadata beside it and its generation stand for one
 * object, and how listing, staging, replacing and deleting files become safe among processes.
 *
 * <p>Start with {@link dev.mayfly.gcs.files.ObjectFile}, which says where an object's file is;
 * FileObjectStore, in the package above, is the adapter that uses all of this.
 */
@NullMarked
package dev.mayfly.gcs.files;

import org.jspecify.annotations.NullMarked;
