// The list of what happens, and the table of requests: the newest first, and only so many.

import { clock, find, foreign, make } from './dom.js';
import { called, told } from './words.js';

const linesKept = 200;
const requestsKept = 100;
/** More at once would only rush past, on the screen as in the ear. */
const linesAtOnce = 40;
/** By phone: the keys of what was told of it last. */
const heard = new Map();

/** Tells what is new of phones; `isQuiet`: what was there before the page was opened is not news. */
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

/** Adds requests, of which the oldest comes first. */
export function log(requests, isWhole) {
  const table = find('requests');
  if (isWhole) table.replaceChildren();
  table.prepend(...requests.map(row).reverse());
  while (table.children.length > requestsKept) table.lastElementChild.remove();
}

/** Without what most of them begin with. */
const shortened = path => path.replace(/^\/(v1\/projects\/[^/]+|emulator\/v1)\//, '');

function row(request) {
  const isRefused = request.status >= 400 || request.status === 0;
  return make('tr', {}, make('td', {}, clock(request.time, true)),
    make('td', {}, make('code', {}, request.method), ' ', make('bdi', { title: request.path }, shortened(request.path))),
    make('td', { class: isRefused ? 'refused' : null }, request.status === 0 ? 'none' : String(request.status)));
}
