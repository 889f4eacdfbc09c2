// The grid of phones: which phones are visible, which one is current, and which to redraw.

import { find, make } from './dom.js';
import { contents, headingID, searched, states } from './phone.js';

const grid = find('grid');
/** By name: the phone's last data, its element, and its newest notification when last drawn. */
const known = new Map();
const changed = new Set();
let current;
let isDue = false;

/** Stores phones and schedules one redraw of each for the next animation frame. */
export function take(phones, isWhole) {
  if (isWhole) forgetAllBut(new Set(phones.map(phone => phone.name)));
  for (const phone of phones) {
    const entry = known.get(phone.name);
    if (entry) entry.phone = phone;
    else known.set(phone.name, { phone, fresh: phone.tray[0]?.number ?? 0 });
    changed.add(phone.name);
  }
  if (!isDue && changed.size > 0) {
    isDue = true;
    requestAnimationFrame(draw);
  }
}

export const count = () => known.size;

function forgetAllBut(names) {
  for (const [name, entry] of known) {
    if (names.has(name)) continue;
    entry.element?.remove();
    known.delete(name);
  }
}

function draw() {
  isDue = false;
  current ??= [...changed][0];
  const added = [];
  for (const name of changed) {
    const entry = known.get(name);
    if (!entry) continue;
    if (!entry.element) {
      entry.element = make('article', { 'data-name': name });
      added.push(entry);
    }
    fill(entry);
  }
  changed.clear();
  place(added);
  filter();
}

/** Inserts new phones in the emulator's order. */
function place(added) {
  added.sort((a, b) => a.phone.place - b.phone.place);
  const last = grid.lastElementChild && known.get(grid.lastElementChild.dataset.name);
  if (!last || added.every(entry => entry.phone.place > last.phone.place)) {
    grid.append(...added.map(entry => entry.element));
  } else if (added.length > 0) {
    const all = [...known.values()].filter(entry => entry.element);
    grid.append(...all.sort((a, b) => a.phone.place - b.phone.place).map(entry => entry.element));
  }
}

/** Redraws a phone. Keeps the focus and the unfolded parts. */
function fill(entry) {
  const { phone, element } = entry;
  const isCurrent = phone.name === current;
  const focused = element.contains(document.activeElement) && document.activeElement !== element
    ? document.activeElement.dataset.focus : undefined;
  const open = [...element.querySelectorAll('details[open]')].map(fold => fold.dataset.fold);
  element.className = `phone ${phone.platform}${phone.online && phone.installed ? '' : ' unreached'}`;
  element.tabIndex = isCurrent ? 0 : -1;
  element.setAttribute('aria-labelledby', headingID(phone));
  element.replaceChildren(...contents(phone, isCurrent, entry.fresh));
  entry.fresh = Math.max(entry.fresh, phone.tray[0]?.number ?? 0);
  for (const fold of open) element.querySelector(`details[data-fold="${fold}"]`)?.setAttribute('open', '');
  if (focused === undefined) return;
  const same = [...element.querySelectorAll('[data-focus]')].find(one => one.dataset.focus === focused);
  (same ?? element).focus({ preventScroll: true });
}

export const phoneOf = element => known.get(element?.closest('article')?.dataset.name)?.phone;
export const elementOf = name => known.get(name)?.element;

/** Makes a phone current, so that the Tab key reaches its buttons. */
export function choose(element) {
  const name = element.dataset.name;
  if (name === current) return;
  const former = known.get(current);
  current = name;
  for (const entry of [former, known.get(name)]) {
    if (!entry?.element) continue;
    const index = entry.phone.name === current ? 0 : -1;
    entry.element.tabIndex = index;
    for (const one of entry.element.querySelectorAll('[data-focus]')) one.tabIndex = index;
  }
}

/** Shows only the phones that match the search and the filters. */
export function filter() {
  const words = find('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const platform = find('platform').value;
  const isInState = states[find('state').value];
  let shown = 0;
  for (const { phone, element } of known.values()) {
    if (!element) continue;
    const text = words.length > 0 ? searched(phone) : '';
    const fits = words.every(word => text.includes(word)) && (!platform || phone.platform === platform)
      && (!isInState || isInState(phone));
    if (element.hidden === fits) element.hidden = !fits;
    if (fits) shown += 1;
  }
  const now = known.get(current)?.element;
  if (!now || now.hidden) {
    const first = visible()[0];
    if (first) choose(first);
  }
  const nothing = find('nothing');
  nothing.hidden = shown > 0;
  nothing.textContent = known.size > 0 ? 'No phones match.'
    : 'No devices yet. Declare them in the project or add them with POST /emulator/v1/devices.';
}

export const visible = () => [...grid.children].filter(element => !element.hidden);
