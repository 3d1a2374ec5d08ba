// The tasks of a job: all of them where they are sorted or counted, pages of them where they are scrolled.
import { useState, useEffect, useRef } from './vendor/htm-preact.js';
import { get, jobPath, mayCome, Problem } from './api.js';
import { exported, present } from './exported.js';

const PAGE = 500;

/** The most that are read to be sorted, filtered or drawn. */
export const MOST = 100_000;

/** Few enough to be read again and again. */
export const FEW = 2_000;

const page = (cluster, uid, from, state, signal) =>
  get(`${jobPath(cluster, uid)}/tasks?limit=${PAGE}&from=${from}${state ? '&state=' + state : ''}`, signal);

/** All tasks of a job, in parts as they come, and again every ten seconds while it lives and they are few. */
export function useAllTasks(job, { state = '', most = MOST, skip = false } = {}) {
  const [read, setRead] = useState({ tasks: [], complete: false });
  const live = !job.endedAt && !exported;
  useEffect(() => {
    if (skip) return undefined;
    const stop = new AbortController();
    let timer;
    const run = async (first) => {
      let from = 0, tasks = [];
      try {
        while (from !== undefined && tasks.length < most) {
          const answer = await page(job.cluster, job.uid, from, state, stop.signal);
          tasks = tasks.concat(answer.tasks);
          from = answer.next;
          if (first && from !== undefined) setRead({ tasks, complete: false });
        }
        setRead({ tasks, complete: from === undefined, at: present() });
        if (live && tasks.length <= FEW) timer = setTimeout(again, 5_000);
      } catch (problem) {
        if (stop.signal.aborted) return;
        if (!mayCome(problem)) return setRead((old) => ({ ...old, problem, retryAt: undefined, again: () => run(first) }));
        setRead((old) => ({ ...old, problem, retryAt: Date.now() + 8_000 }));
        timer = setTimeout(() => run(first), 8_000);
      }
    };
    const again = () => (document.hidden ? (timer = setTimeout(again, 5_000)) : run(false));
    setRead({ tasks: [], complete: false });
    run(true);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [job.cluster, job.uid, state, most, skip, live]);
  return read;
}

/** Tasks by index, each page read when one of its rows is seen and a few seconds later again. */
export function useTaskPages(job, skip) {
  const pages = useRef(new Map());
  const [, changed] = useState(0);
  const [trouble, setTrouble] = useState({});
  const want = (first, last) => {
    if (skip) return;
    for (let n = Math.floor(first / PAGE); n <= Math.floor(last / PAGE); n++) {
      const known = pages.current.get(n);
      if (known && (known.busy || job.endedAt || Date.now() - known.at < 8_000)) continue;
      pages.current.set(n, { ...known, busy: true });
      page(job.cluster, job.uid, n * PAGE, '').then(
        (answer) => {
          const byIndex = [];
          for (const task of answer.tasks) byIndex[task.index - n * PAGE] = task;
          pages.current.set(n, { at: Date.now(), byIndex });
          setTrouble({});
          changed((it) => it + 1);
        },
        (problem) => {
          pages.current.set(n, { ...known, at: Date.now() });
          if (problem instanceof Problem) setTrouble({ problem, retryAt: Date.now() + 8_000 });
        });
    }
  };
  const task = (index) => pages.current.get(Math.floor(index / PAGE))?.byIndex?.[index % PAGE];
  const known = () => [...pages.current.values()].flatMap((it) => (it.byIndex ?? []).slice(0, 50)).filter(Boolean);
  return { task, want, known, trouble };
}

/** Names of metrics or of variables, in order. */
export const namesOf = (tasks, field) => {
  const names = new Set();
  for (const task of tasks) for (const name in task[field] ?? {}) names.add(name);
  return [...names].sort();
};

/** Numbers by size, other texts by letters, what is missing last. */
export function compare(a, b) {
  const missing = (it) => it === undefined || it === null || it === '';
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  const x = Number(a), y = Number(b);
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
