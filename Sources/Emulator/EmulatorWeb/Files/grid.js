// The grid of phones. Only the visible cards exist; the emulator searches and counts the phones.

import { address, link, setQuery } from './address.js';
import { counted, find, make } from './dom.js';
import { Display } from './feed.js';
import { contents, headingID } from './phone.js';

const grid = find('grid');
/** The visible cards by the position of their phone: element, phone, and newest drawn notification. */
const cards = new Map();
const changed = new Set();
/** Browsers limit the height of elements; longer lists have several pages. */
const most = 12_000_000;
const gap = 18;
/** `first`: position of the first phone of the page; `current`: of the phone that Tab reaches. */
const list = { total: 0, first: 0, current: 0, columns: 1, width: 0, row: 1, perPage: 1, isKnown: false };
let isDue = false;
let timer;
let tellCount = () => {};

const display = new Display(take);

const filters = () => {
  const { query } = address();
  return Object.fromEntries(['search', 'platform', 'state'].map(name => [name, query.get(name) ?? '']));
};

/** Fetches the changes of the visible phones. */
export const look = () => display.look();
export const isFiltered = () => Object.values(filters()).some(Boolean);
export const total = () => list.total;
/** Calls `listener` after the number of matching phones may have changed. */
export const listen = listener => { tellCount = listener; };
export const phoneOf = element => cards.get(Number(element?.closest('article')?.dataset.index))?.phone;

/** Shows the phones that match the address, from the first. */
export function search() {
  for (const [name, value] of Object.entries(filters())) if (find(name).value !== value) find(name).value = value;
  Object.assign(list, { first: 0, current: 0 });
  display.cursor = '';
  arrange();
  ask();
}

/** Called after the user changed a filter. */
export function filter() {
  setQuery(Object.fromEntries(['search', 'platform', 'state'].map(name => [name, find(name).value])));
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (scrollY > top()) scrollTo(0, top());
    search();
  }, 60);
}

const top = () => grid.getBoundingClientRect().top + scrollY - find('grid').closest('.view').querySelector('.head').offsetHeight;
const covered = () => Math.max(0, document.querySelector('.top').getBoundingClientRect().bottom);
const countOnPage = () => Math.max(0, Math.min(list.perPage, list.total - list.first));

/** Computes the columns and the height of the list. */
export function arrange() {
  const style = getComputedStyle(grid);
  const available = grid.clientWidth;
  if (available === 0) return;
  const least = parseFloat(style.getPropertyValue('--card-width')) * 16;
  list.columns = Math.max(1, Math.floor((available + gap) / (least + gap)));
  list.width = (available - gap * (list.columns - 1)) / list.columns;
  list.row = parseFloat(style.getPropertyValue('--card-height')) * 16 + gap;
  list.perPage = Math.floor(most / list.row) * list.columns;
  list.first -= list.first % list.perPage;
  grid.style.height = `${Math.max(0, Math.ceil(countOnPage() / list.columns) * list.row - gap)}px`;
  for (const [index, card] of cards) place(card.element, index);
  render();
  pages();
}

function place(element, index) {
  const position = index - list.first;
  const x = (position % list.columns) * (list.width + gap);
  element.style.width = `${list.width}px`;
  element.style.transform = `translate(${x}px, ${Math.floor(position / list.columns) * list.row}px)`;
}

/** The positions of the phones near the visible part of the page. */
function visible() {
  const above = -grid.getBoundingClientRect().top;
  const from = Math.max(0, Math.floor((above + covered()) / list.row) - 1);
  const to = Math.ceil((above + innerHeight) / list.row) + 1;
  const end = list.isKnown ? list.first + countOnPage() : Infinity;
  return [list.first + from * list.columns, Math.min(list.first + Math.max(to, from + 1) * list.columns, end)];
}

/** Creates the visible cards and removes the others, but never the one with the focus. */
export function render() {
  if (grid.clientWidth === 0) return;
  const [from, to] = visible();
  const focused = document.activeElement?.closest('article');
  for (const [index, card] of cards) {
    if ((index >= from && index < to) || (card.element === focused && index < list.total)) continue;
    card.element.remove();
    cards.delete(index);
  }
  if (list.total > 0 && !cards.has(list.current) && (list.current < from || list.current >= to)) choose(from);
  let before = grid.firstElementChild;
  for (let index = from; index < Math.min(to, list.total); index += 1) {
    const card = cards.get(index) ?? add(index);
    while (before && Number(before.dataset.index) < index) before = before.nextElementSibling;
    if (before === card.element) before = before.nextElementSibling;
    else grid.insertBefore(card.element, before);
  }
}

function add(index) {
  const element = make('article', {
    class: 'phone loading', 'data-index': index, tabindex: index === list.current ? 0 : -1,
    'aria-label': 'Loading', 'aria-posinset': index + 1,
  });
  place(element, index);
  const card = { element, phone: undefined, fresh: 0 };
  cards.set(index, card);
  return card;
}

/** Requests the visible phones, at most once per frame and only if they are others. */
let asked = '';
function ask() {
  const [from, to] = visible();
  const columns = list.columns;
  const limit = Math.max(1, Math.min(500, Number.isFinite(to) ? to - from : columns * 8));
  const window = { ...filters(), skip: from, limit };
  const text = JSON.stringify(window);
  if (text === asked && display.cursor !== '') return;
  asked = text;
  display.show(window);
}

let isAsking = false;
export function scrolled() {
  if (find('phones').hidden || isAsking) return;
  isAsking = true;
  requestAnimationFrame(() => {
    isAsking = false;
    render();
    ask();
  });
}

/** Takes the phones of an answer. */
function take(answer, window) {
  const isOther = answer.matches !== list.total || !list.isKnown;
  list.total = answer.matches;
  list.isKnown = true;
  if (list.first >= list.total) list.first = 0;
  list.current = Math.max(0, Math.min(list.current, list.total - 1));
  if (isOther) arrange();
  for (const phone of answer.devices) {
    const card = cards.get(phone.index);
    if (!card) continue;
    if (card.phone?.name !== phone.name) card.fresh = phone.tray[0]?.number ?? 0;
    card.phone = phone;
    changed.add(phone.index);
  }
  if (isOther) {
    for (const index of cards.keys()) changed.add(index);
    const [from, to] = visible();
    if (from !== window.skip || to - from > window.limit) ask();
  }
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(draw);
  }
}

function draw() {
  isDue = false;
  for (const index of changed) {
    const card = cards.get(index);
    if (card?.phone) fill(card, index);
  }
  changed.clear();
  grid.setAttribute('aria-busy', 'false');
  // A feed must have articles.
  grid.setAttribute('role', list.total > 0 ? 'feed' : 'group');
  tellCount();
  const nothing = find('nothing');
  nothing.hidden = list.total > 0;
  nothing.textContent = isFiltered() ? 'No phones match.'
    : 'No phones yet. Add some here, declare them in the project, or add them with POST /emulator/v1/devices.';
}

/** Redraws a card. Keeps the focus. */
function fill(card, index) {
  const { phone, element } = card;
  const isCurrent = index === list.current;
  const focused = element.contains(document.activeElement) && document.activeElement !== element
    ? document.activeElement.dataset.focus : undefined;
  element.className = `phone ${phone.platform}${phone.online && phone.installed ? '' : ' unreached'}`;
  element.dataset.name = phone.name;
  element.tabIndex = isCurrent ? 0 : -1;
  element.removeAttribute('aria-label');
  element.setAttribute('aria-labelledby', headingID(phone));
  element.setAttribute('aria-setsize', list.total);
  element.replaceChildren(...contents(phone, isCurrent, card.fresh, link('phones', phone.name)));
  card.fresh = Math.max(card.fresh, phone.tray[0]?.number ?? 0);
  if (focused === undefined) return;
  const same = [...element.querySelectorAll('[data-focus]')].find(one => one.dataset.focus === focused);
  (same ?? element).focus({ preventScroll: true });
}

/** Makes a phone current, so that the Tab key reaches its buttons. */
export function choose(index) {
  if (index === list.current && cards.get(index)?.element.tabIndex === 0) return;
  const former = cards.get(list.current);
  list.current = index;
  for (const card of [former, cards.get(index)]) {
    if (!card) continue;
    const tab = card === cards.get(index) ? 0 : -1;
    card.element.tabIndex = tab;
    for (const one of card.element.querySelectorAll('[data-focus]')) one.tabIndex = tab;
  }
}

/** Moves the focus to a phone, and scrolls to it. */
export function go(index) {
  const target = Math.max(0, Math.min(index, list.total - 1));
  if (list.total === 0) return;
  const start = target - (target % list.perPage);
  if (start !== list.first) turn(start);
  const y = Math.floor((target - list.first) / list.columns) * list.row + grid.getBoundingClientRect().top;
  if (y < covered() + gap) scrollBy(0, y - covered() - gap);
  else if (y + list.row > innerHeight) scrollBy(0, y + list.row - innerHeight);
  choose(target);
  render();
  ask();
  cards.get(target)?.element.focus({ preventScroll: true });
}

/** Moves the focus with a key of the keyboard. Returns whether the key does that. */
export function step(key) {
  const screen = Math.max(1, Math.floor((innerHeight - covered()) / list.row)) * list.columns;
  const to = {
    ArrowRight: list.current + 1, ArrowLeft: list.current - 1,
    ArrowDown: list.current + list.columns, ArrowUp: list.current - list.columns,
    PageDown: list.current + screen, PageUp: list.current - screen, Home: 0, End: list.total - 1,
  }[key];
  if (to !== undefined) go(to);
  return to !== undefined;
}

function turn(first) {
  list.first = first;
  for (const card of cards.values()) card.element.remove();
  cards.clear();
  arrange();
  ask();
}

function pages() {
  const bar = find('pages');
  bar.hidden = list.total <= list.perPage;
  if (bar.hidden) return;
  const end = list.first + countOnPage();
  const button = (text, first, isOff) => {
    const one = make('button', { type: 'button', disabled: isOff }, text);
    one.addEventListener('click', () => { turn(first); go(first); });
    return one;
  };
  bar.replaceChildren(
    button('Previous page', list.first - list.perPage, list.first === 0),
    make('span', {}, `${(list.first + 1).toLocaleString('en')} to ${end.toLocaleString('en')} of ${counted(list.total, 'phone')}`),
    button('Next page', list.first + list.perPage, end >= list.total));
}
