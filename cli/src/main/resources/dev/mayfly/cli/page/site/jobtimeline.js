// What ran of one job, when and on which machines, above how many of its tasks were done by then.
import { html, useEffect, useMemo, useState } from './vendor/htm-preact.js';
import { clusterPath, get, jobPath, useApi, useNow, usePolled } from './api.js';
import { MOST, useAllTasks } from './alltasks.js';
import { count, duration, jobState, moment, word } from './format.js';
import { only, present } from './exported.js';
import { Link, to } from './route.js';
import { Table, Trouble } from './parts.js';
import { attemptsOf, barsOf, deadOf, gapsOf, isOne, lanesOf, shareOf, spansOf, textOf } from './spans.js';
import { lackingOf, readEarlier, stage, withEarlier, MOST_EARLIER } from './earlier.js';
import { leftOf } from './timelinedraw.js';
import { Chart, useSpan } from './chart.js';
import { eventsOf, machinesOf, LISTED } from './gone.js';
import { DoneCurve } from './curves.js';

/** What may come is seen to its end, unless that is so many times as far as what was. */
const FAN = 4;

const MOST_ROWS = 500, HOUR = 3_600_000;

const KEYS = [['wait', 'nothing runs'], ['boot', 'boots'], ['unknown', 'up, not for this job'], ['running', 'runs'], ['done', 'done'], ['kept', 'kept by its checkpoint'], ['failed', 'failed'],
  ['lost', 'lost with its machine'], ['killed', 'ended by Mayfly'], ['ending', 'given back'], ['silent', 'does not report'], ['taken', 'preempted, lost or unfit']];
const ENDS = { running: 'runs', done: 'done', failed: 'failed', lost: 'lost', killed: 'ended by Mayfly' };

/** Earlier attempts of tasks that have more than their list says, and whether more are being read. */
function useEarlier(job, tasks) {
  const [known] = useState(() => new Map()), [settled, setSettled] = useState(''), { wanted, lacking } = lackingOf(tasks, known);
  const key = wanted.map((it) => it.index + stage(it)).join();
  useEffect(() => {
    const stop = new AbortController();
    // What could not be read is said to be unread, and read when the tasks are read again.
    if (lacking.length) readEarlier(job.cluster, lacking, known, stop.signal).then(() => stop.signal.aborted || setSettled(key));
    return () => stop.abort();
  }, [job.uid, key]);
  return { known, more: settled !== key && lacking.length > 0 };
}

/** Machines by name: those that are listed, and of a job that is older what events tell of the others. */
function useMachines(job) {
  const begun = Date.parse(job.submittedAt), end = job.endedAt ? Date.parse(job.endedAt) : undefined, path = `${clusterPath(job.cluster)}/workers?all=true`;
  const listed = usePolled(async (signal) => new Map((!only && end < present() - 2 * LISTED ? [] : await get(path, signal)).map((it) => [it.name, it])), path + job.uid, end ? 0 : 30);
  const older = !only && begun < present() - LISTED;
  const past = usePolled(async (signal) => (older ? eventsOf(job.cluster, { from: begun - HOUR, to: end ?? present() }, signal) : undefined), `past ${path} ${job.uid} ${older}`, 0);
  const data = useMemo(() => listed.data && new Map([...machinesOf(past.data?.events ?? []), ...listed.data]), [listed.data, past.data]);
  return { ...listed, data, problem: listed.problem ?? past.problem, retryAt: listed.retryAt ?? past.retryAt, cut: past.data?.cut };
}

/** Each machine's attempts, in the order of their first; `ends` counts how they ended. */
function byMachine(attempts) {
  const found = new Map();
  for (const it of attempts) {
    const machine = found.get(it.worker) ?? found.set(it.worker, { name: it.worker, from: it.from, to: it.to, attempts: [], ends: {} }).get(it.worker);
    machine.attempts.push(it);
    machine.to = Math.max(machine.to, it.to);
    machine.ends[it.kind] = (machine.ends[it.kind] ?? 0) + 1;
  }
  return [...found.values()].sort((a, b) => a.from - b.from || (a.name < b.name ? -1 : 1));
}

function rowOf({ name, attempts }, machine, { asked, now, seen }) {
  const spans = machine ? [...spansOf(machine, now, 'up; not for this job', seen).filter((it) => it.kind !== 'idle'), ...deadOf(attempts, machine, now)] : [], share = shareOf(asked, machine?.total);
  const marks = attempts.filter((it) => it.kind === 'lost' && isOne(it)).map((it) => ({ at: it.to, what: word(it.cause), why: `with task ${it.index}` }));
  const drawn = attempts.filter((it) => it.known).flatMap((it) => barsOf({ ...it, share, text: textOf(it) }));
  return { name: name || '(no machine)', state: machine?.state, faint: machine?.state === 'gone', spans, lanes: lanesOf(drawn), marks };
}

/** When nothing ran: before the job might, while it had no machine or turn, and between attempts. */
function waitsOf(job, attempts, end) {
  const from = Date.parse(job.submittedAt), may = Date.parse(job.mayRunSince ?? job.submittedAt), first = Math.min(end, ...attempts.slice(0, 1).map((it) => it.from));
  const why = (it) => (it.from >= first ? 'no task of it ran' : it.from >= may ? 'it waited for machines or its turn' : 'it might not run yet');
  const parts = gapsOf(attempts, from, end).flatMap((it) => (it.from < may && may < it.to && it.to <= first ? [{ from: it.from, to: may }, { from: may, to: it.to }] : [it]));
  return { name: 'no task runs', instead: 'not then, a task of it runs or it is not there', spans: parts.map((it) => ({ ...it, kind: 'wait', text: why(it), open: !job.endedAt && it.to === end })), lanes: [], marks: [] };
}

function useModel(job, read, earlier, machines, seen) {
  // While tasks come in parts, all of them are laid out again a dozen times and not two hundred.
  const parts = read.complete ? read.at : Math.floor(4 * Math.log2(1 + read.tasks.length));
  return useMemo(() => {
    const each = read.tasks.map((it) => attemptsOf(withEarlier(it, earlier.known)));
    const attempts = each.flatMap((it) => it.attempts).sort((a, b) => a.from - b.from), known = attempts.filter((it) => it.known);
    const all = byMachine(attempts), end = job.endedAt ? Date.parse(job.endedAt) : present();
    const rows = all.slice(0, MOST_ROWS).map((it) => rowOf(it, machines?.get(it.name), { asked: job.spec?.resources, now: end, seen }));
    return { attempts: attempts.filter(isOne), all, unread: each.reduce((n, it) => n + it.unread, 0), begun: known.filter(isOne).length,
      rows: read.complete ? [waitsOf(job, known, end), ...rows] : rows };
  }, [job.uid, job.endedAt, job.mayRunSince, parts, earlier.known.size, earlier.more, machines]);
}

/** The same in words, for who sees no colours or no canvas. */
function Words({ job, model, machines }) {
  const head = [['Machine'], ['From'], ['To'], ...Object.values(ENDS).map((it) => [it[0].toUpperCase() + it.slice(1), 'num'])];
  return html`<details><summary>In words: ${count(model.all.length, 'machine')}</summary><${Table} label="Machines that ran it" rows=${model.all.length} empty="" head=${head}>
    ${model.all.slice(0, MOST_ROWS).map(({ name, from, to: until, ends }) => html`<tr key=${name}><td>${machines?.get(name)?.pool && !only ? html`<${Link} parts=${['c', job.cluster, 'w', name]}>${name}<//>` : name || '(no machine)'} ${name && html`<a href=${to(['c', job.cluster, 'j', job.uid, 'tasks'], { q: name })} aria-label=${`tasks on ${name}`}>tasks</a>`}</td>
        <td class="num">${moment(from, 0)}</td><td class="num">${until === Infinity ? 'now' : moment(until, 0)}</td>
      ${Object.keys(ENDS).map((kind) => html`<td class="num">${count(ends[kind])}</td>`)}</tr>`)}<//></details>`;
}

/** What is drawn, and what is not. */
function Said({ job, read, model, machines, more, cut }) {
  const gone = machines ? model.all.filter(({ name }) => name && !machines.has(name)).length : 0, ends = model.attempts.length - model.begun;
  const before = read.tasks.filter((it) => it.doneBefore).length, command = `mayfly tasks ${job.owner ? `${job.owner}/` : ''}${job.name}/INDEX`;
  return html`<p class="faint">${count(model.attempts.length, 'attempt')} of ${count(read.tasks.length, 'task')} on ${count(model.all.length, 'machine')}${
      read.complete ? '' : read.tasks.length >= MOST ? `, the first ${count(MOST)} tasks` : ', more are read …'}${!job.endedAt && read.at ? `, as of ${moment(read.at)}` : ''}.${more && html` <span class="loading">Earlier attempts are read …</span>`}
    ${model.all.length > MOST_ROWS && ` The first ${count(MOST_ROWS)} machines are drawn.`}
    ${!more && model.unread > 0 && ` ${count(model.unread, 'earlier attempt')} more not drawn: of ${count(MOST_EARLIER)} tasks all are read, of others the last; ${command} has those that are kept.`}
    ${ends > 0 && ` Of ${count(ends, 'attempt')} the beginning is not known: ${ends === 1 ? 'it is' : 'they are'} in words below, and ${ends === 1 ? 'no bar' : 'no bars'}.`}
    ${before > 0 && ` ${count(before, 'task')} did not run in this job: done before it.`}
    ${gone > 0 && ` Of ${count(gone, 'machine')} only what ran there is known: ${gone === 1 ? 'it has' : 'they have'} been gone for more than a day${only ? '' : cut ? `, and of events before ${moment(cut, 0)} there are too many` : ', and no event of them is kept (30 days)'}.`}</p>`;
}

function Drawn({ job, read, model, machines, more, cut, estimate, query }) {
  const now = useNow(), begin = Date.parse(job.submittedAt), rest = read.complete && !job.endedAt ? estimate?.rest : undefined;
  const end = job.endedAt ? Date.parse(job.endedAt) : now, fan = rest ? Math.min(Date.parse(rest.latest), end + FAN * (end - begin)) : end, spare = Math.max(1_000, (Math.max(end, fan) - begin) * 0.02);
  const [view, move] = useSpan(query, { from: begin - spare, to: Math.max(end, fan) + spare });
  const open = (it) => it.index !== undefined && (location.hash = to(['c', job.cluster, 'j', job.uid, 't', it.index]));
  // Both are made anew when there is more to tell, and not while somebody moves.
  const said = useMemo(() => html`<${Said} job=${job} read=${read} model=${model} machines=${machines} more=${more} cut=${cut} /><${Words} job=${job} model=${model} machines=${machines} />`, [job.endedAt, read, model, machines, more, cut]);
  return html`<${Chart} label=${`Timeline of job ${job.name}`} rows=${model.rows} keys=${KEYS} view=${view} move=${move} now=${end} open=${open} />
    ${said}<h2>Tasks done</h2><${DoneCurve} job=${job} read=${read} estimate=${estimate} view=${view} left=${leftOf} />`;
}

export function JobTimeline({ job, query }) {
  const read = useAllTasks(job, { most: MOST }), earlier = useEarlier(job, read.tasks), machines = useMachines(job), model = useModel(job, read, earlier, machines.data, machines.at);
  const estimate = jobState(job) === 'running' ? `${jobPath(job.cluster, job.uid)}/estimate` : undefined;
  const rest = usePolled((signal) => (estimate ? get(estimate, signal) : undefined), 'rest ' + estimate, estimate ? 30 : 0).data;
  return html`<${Trouble} state=${read} what="Tasks" /><${Trouble} state=${machines} what="Machines" />
    ${!read.tasks.length && !read.complete ? html`<p class="loading" role="status">Reading tasks …</p>`
      : html`<${Drawn} job=${job} read=${read} model=${model} machines=${machines.data} more=${earlier.more} cut=${machines.cut} estimate=${rest} query=${query} />`}`;
}
