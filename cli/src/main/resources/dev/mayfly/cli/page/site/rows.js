// A table of any number of rows, of which only those that are seen are there.
import { html, useState, useRef, useLayoutEffect } from './vendor/htm-preact.js';
import { useWider, Wider } from './parts.js';

const HEIGHT = 32, SPARE = 10, GAP = 10, EDGE = 14;

/**
 * @param columns { name, title, px, grows, kind, sort } with `sort` for those that can be sorted by
 * @param row gives what is in a row, a cell for each column, or nothing while it is not known
 * @param seen is told of the first and last row that are seen
 */
export function Rows({ label, columns, count, row, seen, sorted, desc, onSort }) {
  const box = useRef(), wanted = useRef(), [top, setTop] = useState(0), [height, setHeight] = useState(600), wider = useWider(box);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setHeight(box.current?.clientHeight ?? 600));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const first = Math.max(0, Math.floor(top / HEIGHT) - SPARE);
  const last = Math.min(count - 1, Math.ceil((top + height) / HEIGHT) + SPARE);
  useLayoutEffect(() => {
    if (count) seen?.(first, Math.max(first, last));
  }, [first, last, count]);
  useLayoutEffect(() => {
    const link = wanted.current !== undefined && box.current.querySelector(`[data-row="${wanted.current}"] a`);
    if (link) link.focus({ preventScroll: true }), (wanted.current = undefined);
  });
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, End: count, Home: -count }[event.key], at = event.target.closest('[data-row]');
    if (!step || event.ctrlKey || event.metaKey || (!at && event.target !== box.current)) return;
    event.preventDefault();
    // From the table itself to the first row that is seen, or the last.
    const next = at ? Math.min(count - 1, Math.max(0, Number(at.dataset.row) + step)) : Math.abs(step) === count ? (step > 0 ? count - 1 : 0) : Math.min(count - 1, step > 0 ? Math.ceil(top / HEIGHT) : Math.floor((top + height) / HEIGHT) - 2), y = next * HEIGHT;
    wanted.current = next;
    if (y < box.current.scrollTop) box.current.scrollTop = y;
    else if (y + 2 * HEIGHT > box.current.scrollTop + height) box.current.scrollTop = y + 2 * HEIGHT - height;
    const link = box.current.querySelector(`[data-row="${next}"] a`);
    if (link) link.focus({ preventScroll: true }), (wanted.current = undefined);
  };
  const grid = { gridTemplateColumns: columns.map((it) => (it.grows ? `minmax(${it.px}px, 1fr)` : it.px + 'px')).join(' ') };
  const wide = columns.reduce((sum, it) => sum + it.px + GAP, 2 * EDGE - GAP);
  const shown = [];
  for (let i = first; i <= last; i++) shown.push(i);
  return html`<${Wider} wider=${wider} /><div class="rows" ref=${box} tabindex="0" role="table" aria-label=${label} aria-rowcount=${count + 1}
      onScroll=${(e) => setTop(e.target.scrollTop)} onKeyDown=${keys}>
    <div role="rowgroup" class="head" style=${{ minWidth: wide }}><div role="row" aria-rowindex="1" class="line" style=${grid}>${columns.map((it) => html`<span
      role="columnheader" class=${it.kind ?? ''} aria-sort=${sorted === it.name ? (desc ? 'descending' : 'ascending') : undefined}>${it.sort
      ? html`<button type="button" onClick=${() => onSort(it.name)}>${it.title}${sorted === it.name ? (desc ? ' ↓' : ' ↑') : ''}</button>`
      : it.title}</span>`)}</div></div>
    <div role="rowgroup" class="body" style=${{ height: count * HEIGHT, minWidth: wide }}>${shown.map((i) => {
      const cells = row(i);
      return html`<div role="row" class="line" key=${i} data-row=${i} aria-rowindex=${i + 2} style=${{ ...grid, transform: `translateY(${i * HEIGHT}px)` }}>
        ${columns.map((it, n) => html`<span role="cell" class=${it.kind ?? ''} title=${typeof cells?.[n] === 'string' && cells[n].length > 12 ? cells[n] : undefined}>${cells ? cells[n] : n === 0 ? '…' : ''}</span>`)}</div>`;
    })}</div></div>`;
}
