/**
 * A job's tasks one by one, as users see them; reads only.
 *
 * <p>Start with {@link dev.mayfly.core.query.task.TaskQueries}: tasks of a live job come from its
 * shards, those of an ended one from its outcome objects.
 *
 * <p><b>Rule:</b> one page reads a bounded number of documents and objects, however many tasks the
 * job has.
 */
@NullMarked
package dev.mayfly.core.query.task;

import org.jspecify.annotations.NullMarked;
