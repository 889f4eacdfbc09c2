// The list of events and the table of the newest requests, newest first and limited in length.

import { link } from './address.js';
import { clock, find, foreign, make } from './dom.js';
import { called, shortened, told } from './words.js';

const linesKept = 200;
const requestsKept = 60;
/** The maximum of lines per update, because more is too much to read or to hear. */
const linesAtOnce = 40;
const keysKept = 4000;
/** The reported events, so that each is reported once. */
const heard = new Set();
/** The emulator's time at the previous answer; earlier events were reported or left out. */
let horizon = -Infinity;

/** Adds the events of an answer. `isOld`: they are older than the page and not announced. */
export function tell(answer, isOld) {
  const feed = find('feed');
  if (isOld) {
    heard.clear();
    feed.replaceChildren();
    horizon = -Infinity;
  }
  const news = answer.activity.filter(event => Date.parse(event.at) >= horizon && isNew(event)).reverse();
  horizon = Date.parse(answer.clock.time);
  if (news.length === 0) return;
  find('live').setAttribute('aria-live', isOld ? 'off' : 'polite');
  const rest = news.length - linesAtOnce;
  feed.prepend(...news.slice(0, linesAtOnce).map(line),
    ...(rest > 0 ? [make('li', { class: 'quiet' }, `and ${rest.toLocaleString('en')} more`)] : []));
  while (feed.children.length > linesKept) feed.lastElementChild.remove();
}

function isNew(event) {
  const key = `${event.device}\n${event.key}`;
  if (heard.has(key)) return false;
  heard.add(key);
  if (heard.size > keysKept) heard.delete(heard.values().next().value);
  return true;
}

function line(event) {
  const [before, behind, kind] = told(event);
  return make('li', {}, clock(event.at, true), make('span', {},
    make('a', { class: 'who', href: link('phones', event.device) }, foreign(event.device)), ' ',
    make('span', { class: kind }, before),
    behind === undefined ? null : ['“', foreign(called(event)), '”'], behind ? make('span', { class: kind }, behind) : null));
}

/** Adds requests, sorted from oldest to newest. */
export function log(requests, isOld) {
  const table = find('newest');
  if (isOld) table.replaceChildren();
  if (requests.length === 0) return;
  table.prepend(...requests.slice(-requestsKept).map(row).reverse());
  while (table.children.length > requestsKept) table.lastElementChild.remove();
}

function row(request) {
  const isRefused = request.status >= 400 || request.status === 0;
  return make('tr', {}, make('td', {}, clock(request.time, true)),
    make('td', {}, make('a', { href: link('requests', request.seq) },
      make('code', {}, request.method), ' ', make('bdi', { title: request.path }, shortened(request.path)))),
    make('td', { class: isRefused ? 'refused' : null }, request.status === 0 ? 'none' : String(request.status)));
}
