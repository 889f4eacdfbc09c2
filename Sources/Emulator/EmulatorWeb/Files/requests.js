// The list of requests, newest first. The emulator searches its log.

import { address, link, setQuery } from './address.js';
import * as control from './control.js';
import { clock, counted, find, foreign, make } from './dom.js';
import { shortened, targeted } from './words.js';

const atOnce = 60;
const kept = 5_000;
const filters = { text: 'requests-text', status: 'requests-status', path: 'requests-kind' };
/** The displayed requests by number, and the end of the list. */
const list = { newest: 0, oldest: 0, isBusy: false, isDue: false, query: '' };
let timer;

const query = () => Object.fromEntries(Object.keys(filters).map(name => [name, address().query.get(name) ?? '']));

/** Shows the requests that match the address. */
export function show() {
  for (const [name, value] of Object.entries(query())) find(filters[name]).value = value;
  Object.assign(list, { newest: 0, oldest: 0 });
  find('log').replaceChildren();
  look();
}

export function filter() {
  setQuery(Object.fromEntries(Object.entries(filters).map(([name, id]) => [name, find(id).value])));
  clearTimeout(timer);
  timer = setTimeout(show, 120);
}

/** Fetches requests that are newer than the displayed ones; one request at a time. */
export async function look() {
  list.isDue = true;
  if (list.isBusy) return;
  list.isBusy = true;
  while (list.isDue) {
    list.isDue = false;
    await newer();
  }
  list.isBusy = false;
}

async function newer() {
  const asked = query();
  const text = JSON.stringify(asked);
  try {
    const answer = await control.requests({ ...asked, limit: atOnce });
    if (text !== JSON.stringify(query())) return;
    const fresh = answer.requests.filter(one => one.seq > list.newest);
    // Requests between the displayed and the fetched ones would be missing.
    const hasGap = list.newest > 0 && fresh.length === answer.requests.length && answer.last > 0;
    if (hasGap) find('log').replaceChildren();
    if (hasGap || list.newest === 0) list.oldest = answer.last;
    list.newest = Math.max(list.newest, answer.requests[0]?.seq ?? 0);
    find('log').prepend(...fresh.map(row));
    trim();
    summarize();
  } catch (error) {
    find('requests-summary').textContent = error.message;
  }
}

/** Opens the request of a clicked row, unless the click selects text or follows a link. */
export function clicked(event) {
  if (event.target.closest('a') || !getSelection().isCollapsed) return;
  const row = event.target.closest('tr');
  if (row) location.hash = link('requests', row.dataset.number);
}

/** Fetches requests that are older than the displayed ones. */
export async function older() {
  if (list.oldest === 0) return;
  const answer = await control.requests({ ...query(), before: list.oldest, limit: 200 });
  list.oldest = answer.last;
  const rows = answer.requests.map(row);
  find('log').append(...rows);
  summarize();
  rows[0]?.querySelector('a').focus();
}

function trim() {
  const log = find('log');
  if (log.children.length <= kept) return;
  while (log.children.length > kept) log.lastElementChild.remove();
  list.oldest = Number(log.lastElementChild.dataset.number);
}

function summarize() {
  const count = find('log').children.length;
  find('older').hidden = list.oldest === 0;
  find('requests-summary').textContent = list.oldest === 0 ? counted(count, 'request')
    : `the newest ${counted(count, 'request')}`;
  const nothing = find('log-nothing');
  nothing.hidden = count > 0;
  nothing.textContent = Object.values(query()).some(Boolean) ? 'No requests match.' : 'No requests yet.';
}

/** The answer of a request as a text and a style. */
export function answered(request) {
  if (request.status === 0) return ['no answer', 'bad'];
  return [[request.status, request.error].filter(Boolean).join(' '), request.status >= 400 ? 'bad' : 'good'];
}

/** The target of a request, with its kind. */
export function target(request) {
  const [kind, name] = targeted(request.target) ?? [];
  if (kind === undefined) return null;
  return make('span', { class: 'target', title: name }, make('span', { class: 'quiet' }, `${kind} `), foreign(String(name)));
}

function row(request) {
  const [text, style] = answered(request);
  const page = link('requests', request.seq);
  return make('tr', { 'data-number': request.seq },
    make('td', {}, make('a', { href: page }, String(request.seq))),
    make('td', {}, clock(request.time, true)),
    make('td', {}, make('code', {}, request.method), ' ', make('bdi', { title: request.path }, shortened(request.path))),
    make('td', {}, target(request)),
    make('td', { class: 'text' }, request.title ?? request.body ? foreign(request.title ?? request.body) : ''),
    make('td', {}, make('span', { class: `badge ${style}` }, text),
      request.reason ? make('small', { class: 'why' }, foreign(request.reason)) : null,
      request.fault ? make('small', { class: 'why' }, 'fault ', foreign(request.fault)) : null));
}
