// Pieces that several views have.
import { html, useEffect, useRef, useState } from './vendor/htm-preact.js';
import { age, duration, moment, tone, count, bytes, jobProgress, memory, restOf } from './format.js';
import { useNow } from './api.js';
import { exported, only } from './exported.js';
import { parse, to } from './route.js';
import { Sentence } from './copy.js';

/** A state by its word and its colour. */
export const State = ({ of }) => html`<span class=${'state ' + tone(of)}>${of}</span>`;

export const Ago = ({ at, now, title }) =>
  at ? html`<time datetime=${at} title=${moment(at, 0)}>${title ?? (exported ? moment(at, 0) : age(at, now) + ' ago')}</time>` : html`–`;

const OLD = 10_000;

/** How old an answer is beside figures that are newer. */
export const Aged = ({ state, now }) => !exported && now - state.at > OLD && html` <span class="faint">(read ${duration((now - state.at) / 1000)} ago)</span>`;

/** Views that are there where this one is not, the nearest first. */
function elsewhere(message) {
  if (only) return [[`job ${only.name}`, []]];
  const [kind, cluster, what, name, tab] = parse(location.hash).parts, under = kind === 'c' && cluster && !/no cluster/.test(message);
  const links = [tab === 't' && ['all tasks of the job', ['c', cluster, 'j', name, 'tasks']], under && what && ['jobs of ' + cluster, ['c', cluster, 'jobs']], under && what && ['cluster ' + cluster, ['c', cluster]], ['all clusters', []]];
  return links.filter(Boolean);
}

/** What helps on a command line alone: a view is of a cluster. */
const COMMAND_LINE = /, and jobs of another cluster, also one that is down, need -c CLUSTER/;

/** That something is not there, with links to what is; it is not asked for again by itself. */
export const Missing = ({ state, what, wait, children }) => html`<div class="trouble" role="alert">
  <strong>${what} ${/^\w+s$|reasons$/.test(what) ? 'are' : 'is'} not there${state.data === undefined ? '' : ' any more'}.</strong> <span class="said">${children ?? state.problem.message.replace(COMMAND_LINE, '')}</span>
  <div>There is: ${elsewhere(state.problem?.message ?? '').map(([text, parts], i) => html`${i ? ', ' : ''}<a href=${to(parts)}>${text}</a>`)}.
  ${state.again && html` <button type="button" onClick=${state.again}>Look again</button>`}${state.retryAt !== undefined && html` <span class="faint">If it was submitted just now it comes: this page looks again ${wait > 0 ? `in ${wait}s` : 'now'}.</span>`}</div></div>`;

/** What went wrong, why, and when it is tried again, if it is; what was known before stays below it. */
export function Trouble({ state, what }) {
  const now = useNow();
  if (!state.problem) return null;
  const wait = Math.max(0, Math.ceil((state.retryAt - now) / 1000));
  if (state.missing || (state.problem.status === 404 && state.retryAt === undefined)) return html`<${Missing} state=${state} what=${what} wait=${wait} />`;
  return html`<div class="trouble" role="alert">
    <strong>${what} can't be read now.</strong> <span class="said"><${Sentence} ends text=${state.problem.message} /></span>
    ${state.again && state.retryAt === undefined && html` <button type="button" onClick=${state.again}>Try again</button>`}
    ${' '}<span class="faint">${state.retryAt === undefined ? '' : wait > 0 ? `Tried again in ${wait}s.` : 'Trying again …'}${state.at ? ` What you see is of ${moment(new Date(state.at).toISOString(), now)}.` : ''}</span>
  </div>`;
}

/** What was asked for, once it is there; in an element of its own, so that what comes after it stays after it. */
export const Loaded = ({ state, what, children }) =>
  html`<div><${Trouble} state=${state} what=${what} />${state.data !== undefined
    ? children(state.data)
    : state.problem ? null : html`<p class="loading" role="status">Reading ${what.toLowerCase()} …</p>`}</div>`;

/** Use of something there is so much of. */
export function Meter({ label, used, total, text = `${used} of ${total}` }) {
  const part = total > 0 ? Math.min(1, used / total) : 0;
  return html`<div class="meter"><span class="label">${label}</span>
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label=${`${label}: ${text}`}>
      <rect class="all" width="100" height="4" /><rect class="part" width=${part * 100} height="4" /></svg>
    <span class="value">${text}</span></div>`;
}

const SHORT = 60;

const round = (n) => Math.round((n ?? 0) * 100) / 100;

/** 3 of 16 GiB, and with both units where they differ. */
function memoryOf(used, total) {
  const [part, all] = [memory(used), memory(total)], unit = all.slice(-4);
  return `${used === 0 || part.endsWith(unit) ? part.slice(0, -4) : part} of ${all}`;
}

/** What tasks ask for of all resources, as mayfly status says it: what they use of that may be less. */
export function Usage({ used = {}, total = {}, accelerators = [] }) {
  const gpu = (used.gpu ?? 0) + (total.gpu ?? 0), tpu = (used.tpu ?? 0) + (total.tpu ?? 0);
  return html`<div class="meters">
    <${Meter} label="cpu" used=${round(used.cpu)} total=${round(total.cpu)} text=${`${round(used.cpu)} of ${round(total.cpu)} asked for`} />
    <${Meter} label="memory" used=${bytes(used.memory)} total=${bytes(total.memory)} text=${`${memoryOf(bytes(used.memory), bytes(total.memory))} asked for`} />
    ${accelerators.map((it) => html`<${Meter} key=${it.kind} label=${it.kind} used=${round(it.used)} total=${round(it.total)} />`)}
    ${!accelerators.length && gpu > 0 && html`<${Meter} label="gpu" used=${round(used.gpu)} total=${round(total.gpu)} />`}
    ${!accelerators.length && tpu > 0 && html`<${Meter} label="tpu chips" used=${used.tpu ?? 0} total=${total.tpu ?? 0} />`}
  </div>`;
}

/** How far a job is, in parts of its tasks; of those that run what they have done by their own metrics. */
export function Progress({ job }) {
  const steps = job.progress?.part ?? 0, { done, failed, leased, ready, stopped = 0 } = job.totals, all = Math.max(1, done + failed + leased + ready + stopped);
  const parts = [['done', done], ['failed', failed], ['steps', Math.min(steps, leased)], ['leased', job.endedAt ? 0 : Math.max(0, leased - steps)], ['stopped', stopped]];
  let x = 0;
  const words = [`${count(done)} of ${job.tasks >= 0 ? count(job.tasks) : '?'} done`, ...restOf(job).map(({ what, text }) => text + (what === 'on machines' && steps > 0 ? ` (${jobProgress(job)})` : ''))].join(', ');
  return html`<svg class="progress" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label=${words}>
    <rect class="rest" width="1000" height="8" />${parts.map(([name, n]) => {
      const width = (n / all) * 1000, at = x;
      x += width;
      return n > 0 && html`<rect class=${name} x=${at} width=${width} height="8" />`;
    })}</svg>`;
}

/** Moves between the rows of a table with the arrow keys, by their first links: from the table itself to the first or last. */
export function rowKeys(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], row = event.target.closest('tbody tr');
  if (!step || event.target.closest('input, select, textarea')) return;
  const links = [...event.currentTarget.querySelectorAll('tbody tr')].map((it) => it.querySelector('a')).filter(Boolean), at = row ? links.findIndex((it) => row.contains(it)) : -1;
  const next = row ? at >= 0 && links[at + step] : links.at(step > 0 ? 0 : -1);
  if (next) next.focus(), event.preventDefault();
}

const cutCell = ({ target }) => {
  const cell = target.closest('td');
  return cell && (cell.scrollWidth > cell.clientWidth || cell.classList.contains('open')) ? cell : undefined;
};

/** What a cell that is too narrow has is seen whole when it is pointed at, and stays so by a click. */
function whole(event) {
  const cell = cutCell(event);
  if (cell && !cell.title) cell.title = cell.innerText;
}

function opened(event) {
  if (!event.target.closest('a, button, summary')) cutCell(event)?.classList.toggle('open');
}

/** Whether what is in a box is wider than it, now and whenever one of both changes. */
export function useWider(box) {
  const [wider, setWider] = useState(false);
  useEffect(() => {
    if (!box.current) return undefined;
    const look = () => box.current && setWider(box.current.scrollWidth > box.current.clientWidth + 1), watch = new ResizeObserver(look);
    for (const it of [box.current, ...box.current.children]) watch.observe(it);
    look();
    return () => watch.disconnect();
  }, [box.current]);
  return wider;
}

/** Says that there is more to the right, to those who see no bar to scroll by. */
export const Wider = ({ wider }) => wider && html`<p class="faint wider">more columns: scroll sideways →</p>`;

/** Whether the window is narrower than so many pixels. */
export function useNarrow(px) {
  const asked = `(max-width: ${px}px)`, [narrow, setNarrow] = useState(matchMedia(asked).matches);
  useEffect(() => {
    const list = matchMedia(asked), look = () => setNarrow(list.matches);
    list.addEventListener('change', look);
    return () => list.removeEventListener('change', look);
  }, [asked]);
  return narrow;
}

/** A row of a table that has only a text, which is read without scrolling sideways. */
export const TextRow = ({ columns, children }) => html`<tr class="text"><td class="wide" colspan=${columns}><div>${children}</div></td></tr>`;

/** A word of the address, if it is one of those that are known. */
export const known = (word, words) => (words.includes(word) ? word : undefined);

/**
 * Words of the address that are none, which are ignored.
 *
 * @param words those that are known, by name
 * @param instead what is seen without it, by name
 */
export const Unknown = ({ query, words, instead }) => html`${Object.entries(words).filter(([name, all]) => query[name] && !all.includes(query[name])).map(([name, all]) =>
  html`<p class="warn" role="note">${name}=${query[name]} in the address is none of ${all.filter(Boolean).join(', ')}: ${instead[name]}.</p>`)}`;

/** A table that scrolls on its own where it is too wide, and says so. */
export const Table = ({ rows, empty, ...table }) => (rows === 0 ? html`<p class="faint empty">${empty}</p>` : html`<${Filled} ...${table} />`);

function Filled({ label, head, children }) {
  const box = useRef(), wider = useWider(box);
  return html`<${Wider} wider=${wider} /><div class="scroll" ref=${box} tabindex="0" role="region" aria-label=${label} onKeyDown=${rowKeys}>
    <table onMouseOver=${whole} onClick=${opened}><thead><tr>${head.map(([name, kind, title]) => html`<th scope="col" class=${kind ?? ''} title=${title}>${name}</th>`)}</tr></thead>
    <tbody>${children}</tbody></table></div>`;
}

/** A text that may be long: some lines of it, and all when it is opened. */
export const Long = ({ text }) => (String(text ?? '').length <= SHORT ? html`${text ?? ''}`
  : html`<details class="long"><summary title=${text}>${text}</summary></details>`);

/** The field that looks for something in a view, with its keys. */
export const Search = ({ label = 'Search', value, placeholder, use, onKeyDown }) => html`<label>${label} <input data-search type="search" value=${value} placeholder=${placeholder}
  aria-keyshortcuts="/" title="The key / comes here, Escape clears it and leaves." onInput=${(e) => use(e.target.value)} onKeyDown=${onKeyDown} /></label>`;

/** The title of the window and of the view. */
export function Title({ text, children }) {
  useEffect(() => {
    document.title = text + ' · Mayfly';
  }, [text]);
  return html`<h1>${children ?? text}</h1>`;
}

export const Tabs = ({ label, tabs, current }) => html`<nav class="tabs" aria-label=${label}>${tabs.map(([name, href]) =>
  html`<a href=${href} aria-current=${name === current ? 'page' : undefined}>${name}</a>`)}</nav>`;
