/**
 * Plain files as objects: maps a file, its metadata and its generation to one object, and makes
 * listing, staging, replacing and deleting safe among processes.
 *
 * <p>Start with {@link dev.mayfly.gcs.files.ObjectFile}, the location of an object's file. The
 * adapter is FileObjectStore in the parent package.
 */
@NullMarked
package dev.mayfly.gcs.files;

import org.jspecify.annotations.NullMarked;
