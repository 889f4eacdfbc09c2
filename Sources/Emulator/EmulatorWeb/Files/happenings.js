// The list of events and the table of requests, newest first and limited in length.

import { clock, find, foreign, make } from './dom.js';
import { called, told } from './words.js';

const linesKept = 200;
const requestsKept = 100;
/** The maximum of lines per update, because more is too much to read or to hear. */
const linesAtOnce = 40;
/** By phone: the keys of its last reported events. */
const heard = new Map();

/** Adds new events of phones. `isQuiet`: they are older than the page and not announced. */
export function tell(phones, isWhole, isQuiet) {
  const feed = find('feed');
  if (isWhole) {
    heard.clear();
    feed.replaceChildren();
  }
  const news = [];
  for (const phone of phones) {
    const known = heard.get(phone.name);
    for (const happening of phone.happened) if (!known?.has(happening.key)) news.push({ phone, happening });
    heard.set(phone.name, new Set(phone.happened.map(happening => happening.key)));
  }
  if (news.length === 0) return;
  news.sort((a, b) => Date.parse(b.happening.at) - Date.parse(a.happening.at));
  feed.setAttribute('aria-live', isQuiet ? 'off' : 'polite');
  const rest = news.length - linesAtOnce;
  feed.prepend(...news.slice(0, linesAtOnce).map(line),
    ...(rest > 0 ? [make('li', { class: 'quiet' }, `and ${rest.toLocaleString('en')} more`)] : []));
  while (feed.children.length > linesKept) feed.lastElementChild.remove();
}

function line({ phone, happening }) {
  const [before, behind, kind] = told(happening);
  return make('li', {}, clock(happening.at, true), make('span', {},
    make('span', { class: 'who' }, foreign(phone.name)), ' ', make('span', { class: kind }, before),
    behind === undefined ? null : ['“', foreign(called(happening)), '”'], behind ? make('span', { class: kind }, behind) : null));
}

/** Adds requests, sorted from oldest to newest. */
export function log(requests, isWhole) {
  const table = find('requests');
  if (isWhole) table.replaceChildren();
  table.prepend(...requests.map(row).reverse());
  while (table.children.length > requestsKept) table.lastElementChild.remove();
}

/** The path without its common prefixes. */
const shortened = path => path.replace(/^\/(v1\/projects\/[^/]+|emulator\/v1)\//, '');

function row(request) {
  const isRefused = request.status >= 400 || request.status === 0;
  return make('tr', {}, make('td', {}, clock(request.time, true)),
    make('td', {}, make('code', {}, request.method), ' ', make('bdi', { title: request.path }, shortened(request.path))),
    make('td', { class: isRefused ? 'refused' : null }, request.status === 0 ? 'none' : String(request.status)));
}
