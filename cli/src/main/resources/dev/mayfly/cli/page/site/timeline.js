// When machines were made, booted, worked and went, and what ran on them as far as it is known.
import { html, useEffect, useMemo, useRef, useState } from './vendor/htm-preact.js';
import { useApi, useNow, clusterPath, get, jobPath, usePolled } from './api.js';
import { count, duration, moment } from './format.js';
import { to } from './route.js';
import { spansOf, marksOf, tasksOf } from './spans.js';
import { draw, ROW, LEFT } from './timelinedraw.js';

const JOBS = 12, MOST_TASKS = 2_000;

/** Tasks of the newest jobs that say where and when they ran. */
async function ran(cluster, jobs, signal) {
  const found = [];
  for (const job of jobs.slice(0, JOBS)) {
    let from = 0;
    while (from !== undefined && from < MOST_TASKS) {
      const page = await get(`${jobPath(cluster, job.uid)}/tasks?limit=500&from=${from}`, signal);
      page.tasks.forEach((it) => it.startedAt && found.push({ ...it, jobName: job.name }));
      from = page.next;
    }
  }
  return found;
}

const KEYS = [['boot', 'boots'], ['task', 'runs a task'], ['idle', 'idle'], ['unknown', 'up, what ran is not known'], ['ending', 'drains or is lost']];

const Facts = ({ hit }) => html`<p class="hit" role="status">${hit ?? 'Drag to move, turn the wheel with Ctrl (or + and −) to zoom, point at a bar to read it.'}</p>`;

export function Timeline({ cluster, workers, events }) {
  const now = useNow(), jobs = useApi(`${clusterPath(cluster)}/jobs?limit=50`, 10).data ?? [];
  const key = jobs.map((it) => it.uid).join();
  const tasks = usePolled((signal) => ran(cluster, jobs, signal), 'ran ' + key, 20).data ?? [];
  const rows = useMemo(() => [...workers].sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.name < b.name ? -1 : 1)), [workers]);
  const first = rows.length ? Math.min(...rows.map((it) => Date.parse(it.createdAt))) : now - 600_000;
  const [span, setSpan] = useState(), canvas = useRef(), box = useRef(), drag = useRef(), [hit, setHit] = useState(), [top, setTop] = useState(0), [width, setWidth] = useState(800);
  const view = span ?? { from: first - (now - first) * 0.02, to: now + (now - first) * 0.02 + 1000 };
  const model = useMemo(() => {
    const of = tasksOf(tasks), marks = marksOf(events);
    return rows.map((w) => ({ worker: w, spans: spansOf(w, of.get(w.name) ?? [], Date.now()), marks: marks.get(w.name) ?? [] }));
  }, [rows, tasks, events]);
  const height = Math.min(560, Math.max(120, rows.length * ROW + 30));
  useEffect(() => {
    const watch = new ResizeObserver(() => setWidth(box.current.clientWidth));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => draw(canvas.current, { model, view, width, height, top, now }), [model, view.from, view.to, width, height, top, now]);
  const at = (x) => view.from + ((x - LEFT) / Math.max(1, width - LEFT)) * (view.to - view.from);
  const zoom = (factor, x = LEFT + (width - LEFT) / 2) => {
    const middle = at(x), to = middle + (view.to - middle) * factor, from = middle - (middle - view.from) * factor;
    if (to - from > 2_000 && to - from < 40 * 86_400_000) setSpan({ from, to });
  };
  const move = (by) => setSpan({ from: view.from + by, to: view.to + by });
  const limit = (it) => Math.max(0, Math.min(rows.length * ROW - height + 30, it));
  const pointed = (event) => {
    const bounds = canvas.current.getBoundingClientRect(), x = event.clientX - bounds.left, y = event.clientY - bounds.top;
    if (drag.current) {
      setSpan({ from: drag.current.from - ((x - drag.current.x) / (width - LEFT)) * (view.to - view.from), to: drag.current.to - ((x - drag.current.x) / (width - LEFT)) * (view.to - view.from) });
      setTop(limit(drag.current.top - (y - drag.current.y)));
      return;
    }
    const row = model[Math.floor((y + top) / ROW)], t = at(x);
    if (!row || y > height - 24) return setHit(undefined);
    const found = [...row.spans].reverse().find((it) => it.from <= t && t <= it.to), near = row.marks.find((it) => Math.abs(it.at - t) < (6 * (view.to - view.from)) / width);
    setHit(`${row.worker.name}${near ? `: ${near.what} at ${moment(near.at, now)}, ${near.why}` : found ? `: ${found.text}, ${moment(found.from, now)} to ${found.open ? 'now' : moment(found.to, now)} (${duration((found.to - found.from) / 1000)})` : ', ' + row.worker.state}`);
  };
  const down = (e) => {
    const bounds = canvas.current.getBoundingClientRect();
    drag.current = { ...view, x: e.clientX - bounds.left, y: e.clientY - bounds.top, top };
    canvas.current.setPointerCapture(e.pointerId);
  };
  useEffect(() => {
    const wheel = (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      zoom(e.deltaY > 0 ? 1.2 : 1 / 1.2, e.clientX - canvas.current.getBoundingClientRect().left);
    };
    const it = canvas.current;
    it.addEventListener('wheel', wheel, { passive: false });
    return () => it.removeEventListener('wheel', wheel);
  });
  const keys = (e) => {
    const step = (view.to - view.from) / 8;
    const act = { '+': () => zoom(1 / 1.4), '=': () => zoom(1 / 1.4), '-': () => zoom(1.4), ArrowLeft: () => move(-step), ArrowRight: () => move(step),
      ArrowDown: () => setTop(limit(top + ROW)), ArrowUp: () => setTop(limit(top - ROW)), 0: () => setSpan(undefined) }[e.key];
    if (act) e.preventDefault(), act();
  };
  const idle = model.reduce((sum, it) => sum + it.spans.filter((s) => s.kind === 'idle').reduce((n, s) => n + s.to - s.from, 0), 0);
  if (!rows.length) return html`<p class="empty">No machine was there yet.</p>`;
  return html`<div class="bar"><button type="button" onClick=${() => zoom(1 / 1.6)}>Zoom in</button><button type="button" onClick=${() => zoom(1.6)}>Zoom out</button>
      <button type="button" onClick=${() => setSpan({ from: now - 3_600_000, to: now + 60_000 })}>Last hour</button><button type="button" onClick=${() => setSpan(undefined)}>All</button>
      ${KEYS.map(([kind, text]) => html`<span class=${'key ' + kind}>${text}</span>`)}</div>
    <div ref=${box} class="timeline" tabindex="0" role="application" aria-label="Timeline of machines: arrow keys move, plus and minus zoom, 0 shows all" onKeyDown=${keys}>
      <canvas ref=${canvas} aria-hidden="true" onPointerMove=${pointed} onPointerDown=${down} onPointerUp=${() => (drag.current = undefined)}
        onPointerLeave=${() => drag.current || setHit(undefined)}></canvas></div>
    <${Facts} hit=${hit} />
    <p class="faint">${count(rows.length, 'machine')}, ${count(tasks.length, 'task')} of the newest ${Math.min(JOBS, jobs.length)} jobs, ${duration(idle / 1000)} idle now. Not known here: machines that are gone for
      more than a day, what ran before an attempt was repeated, and earlier idle times; Mayfly keeps none of these.
      All facts in words: <a href=${to(['c', cluster])}>workers</a>, <a href=${to(['c', cluster, 'events'])}>events</a>.</p>`;
}
