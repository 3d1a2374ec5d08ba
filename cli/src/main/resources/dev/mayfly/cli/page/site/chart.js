// Rows over time: zoomed and moved by pointer, wheel and keys, with the span that is seen in the address.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { duration, moment } from './format.js';
import { ask } from './route.js';
import { draw, leftOf, spanAt, ROW } from './timelinedraw.js';

const SHORTEST = 2_000, LONGEST = 40 * 86_400_000, WRITTEN_AFTER = 300;

function spanIn({ from, to }) {
  const span = { from: Date.parse(from), to: Date.parse(to) };
  return span.to - span.from >= SHORTEST ? span : undefined;
}

/** The span that is seen: what was moved to, else the address's, else all. The address follows when it stays. */
export function useSpan(query, all) {
  const [moved, setMoved] = useState(), timer = useRef();
  useEffect(() => setMoved(undefined), [query.from, query.to]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const set = (span) => {
    setMoved(span ?? null);
    clearTimeout(timer.current);
    const said = (at) => (span ? new Date(at).toISOString() : '');
    timer.current = setTimeout(() => ask({ from: said(span?.from), to: said(span?.to) }), WRITTEN_AFTER);
  };
  return [moved === undefined ? spanIn(query) ?? all : moved ?? all, set];
}

const HINT = 'Drag to move, turn the wheel with Ctrl (or + and −) to zoom, point at a bar to read it.';

/**
 * @param rows { name, faint, spans, lanes, marks }: spans lie under the lanes; `instead` is what is so where a row has no span
 * @param keys pairs of a kind of span and what it means
 * @param view the span that is seen, of which move is told another one, or nothing for all
 * @param open called with a span that was clicked
 */
export function Chart({ label, rows, keys, view, move, now, open, children }) {
  const canvas = useRef(), box = useRef(), drag = useRef(), [hit, setHit] = useState(), [top, setTop] = useState(0), [width, setWidth] = useState(800);
  const height = Math.min(560, Math.max(120, rows.length * ROW + 30)), left = leftOf(width);
  useEffect(() => {
    const watch = new ResizeObserver(() => setWidth(box.current.clientWidth));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => draw(canvas.current, { rows, view, width, height, top, now }), [rows, view.from, view.to, width, height, top, now]);
  const per = (view.to - view.from) / Math.max(1, width - left), at = (x) => view.from + (x - left) * per;
  const zoom = (factor, x = left + (width - left) / 2) => {
    const middle = at(x), to = middle + (view.to - middle) * factor, from = middle - (middle - view.from) * factor;
    if (to - from > SHORTEST && (to - from < LONGEST || factor < 1)) move({ from, to });
  };
  const pan = (by) => move({ from: view.from + by, to: view.to + by });
  const limit = (it) => Math.max(0, Math.min(rows.length * ROW - height + 30, it));
  const within = (event) => {
    const bounds = canvas.current.getBoundingClientRect();
    return [event.clientX - bounds.left, event.clientY - bounds.top];
  };
  const pointed = (event) => {
    const [x, y] = within(event);
    if (drag.current) {
      const by = (drag.current.x - x) * drag.current.per;
      drag.current.far ||= Math.abs(drag.current.x - x) + Math.abs(drag.current.y - y) > 4;
      if (drag.current.far) move({ from: drag.current.from + by, to: drag.current.to + by }), setTop(limit(drag.current.top - (y - drag.current.y)));
      return;
    }
    const row = y > height - 24 ? undefined : rows[Math.floor((y + top) / ROW)], t = at(x);
    if (!row) return setHit(undefined);
    const found = spanAt(row, (y + top) % ROW, t, now), near = row.marks.find((it) => Math.abs(it.at - t) < 6 * per);
    setHit(`${row.name}${near ? `: ${near.what} at ${moment(near.at, now)}, ${near.why}` : found ? `: ${found.text}, ${moment(found.from, now)} to ${
      found.open ? 'now' : moment(found.to, now)} (${duration(((found.open ? now : found.to) - found.from) / 1000)})` : row.instead ? `: ${row.instead}` : row.state ? ', ' + row.state : ''}`);
  };
  const down = (e) => {
    const [x, y] = within(e);
    drag.current = { ...view, x, y, top, per };
    canvas.current.setPointerCapture(e.pointerId);
  };
  const up = (e) => {
    const [x, y] = within(e), row = rows[Math.floor((y + top) / ROW)], found = row && !drag.current?.far && spanAt(row, (y + top) % ROW, at(x), now);
    drag.current = undefined;
    if (found) open?.(found);
  };
  useEffect(() => {
    const wheel = (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      zoom(e.deltaY > 0 ? 1.2 : 1 / 1.2, within(e)[0]);
    };
    const it = canvas.current;
    it.addEventListener('wheel', wheel, { passive: false });
    return () => it.removeEventListener('wheel', wheel);
  });
  const pressed = (e) => {
    const step = (view.to - view.from) / 8;
    const act = { '+': () => zoom(1 / 1.4), '=': () => zoom(1 / 1.4), '-': () => zoom(1.4), ArrowLeft: () => pan(-step), ArrowRight: () => pan(step),
      ArrowDown: () => setTop(limit(top + ROW)), ArrowUp: () => setTop(limit(top - ROW)), 0: () => move(undefined) }[e.key];
    if (act && !e.ctrlKey && !e.metaKey && !e.altKey) e.preventDefault(), act();
  };
  return html`<div class="bar"><button type="button" onClick=${() => zoom(1 / 1.6)}>Zoom in</button><button type="button" onClick=${() => zoom(1.6)}>Zoom out</button>
      ${children}<button type="button" onClick=${() => move(undefined)}>All</button>${keys.map(([kind, text]) => html`<span class=${'key ' + kind}>${text}</span>`)}</div>
    <div ref=${box} class="timeline" tabindex="0" role="application" aria-label=${`${label}: arrow keys move, plus and minus zoom, 0 shows all`} onKeyDown=${pressed}>
      <canvas ref=${canvas} aria-hidden="true" onPointerMove=${pointed} onPointerDown=${down} onPointerUp=${up} onPointerCancel=${() => (drag.current = undefined)}
        onPointerLeave=${() => drag.current || setHit(undefined)}></canvas></div>
    <p class="hit" role="status">${hit ?? HINT}</p>`;
}
