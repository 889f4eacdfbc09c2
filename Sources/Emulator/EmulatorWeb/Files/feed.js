// Follows the emulator's changes, and fetches the phones that the page displays.

import * as control from './control.js';

const listeners = [];
/** Pause after an answer, in milliseconds. It grows while every request finds changes. */
const pauses = { least: 100, most: 400 };

/** Calls `listener` with each answer, and whether it is older than the page. */
export const listen = listener => { listeners.push(listener); };

const pause = milliseconds => new Promise(done => { setTimeout(done, milliseconds); });

/** Requests changes as long as the page is open; `say` displays a failure. A request waits up to 20
    seconds for a change. The next request follows 0.1 s after changes, and 1 s after a failure. */
export async function follow(say) {
  let cursor = '';
  let rest = pauses.least;
  for (;;) {
    const began = performance.now();
    try {
      const answer = await control.changes(cursor);
      const isFirst = cursor === '';
      cursor = answer.cursor;
      for (const listener of listeners) listener(answer, isFirst || answer.whole);
      say('');
      rest = performance.now() - began < 200 ? Math.min(rest * 1.3, pauses.most) : pauses.least;
      await pause(rest);
    } catch (error) {
      say(`The emulator does not respond: ${error.message} Retrying …`);
      await pause(1000);
    }
  }
}

/** Fetches displayed phones: one request at a time, and only the changed phones if possible. */
export class Display {
  /** `take` is called with each answer and the window that was requested. */
  constructor(take) {
    this.take = take;
    this.window = undefined;
    this.cursor = '';
    this.isBusy = false;
    this.isDue = false;
  }

  /** Displays other phones: filters, and the range `skip`, `limit`. */
  show(window) {
    this.window = window;
    this.cursor = '';
    return this.look();
  }

  /** Fetches the changes of the displayed phones. */
  async look() {
    if (this.window === undefined) return;
    this.isDue = true;
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.isDue) {
      this.isDue = false;
      await this.fetch();
    }
    this.isBusy = false;
  }

  async fetch() {
    const window = this.window;
    try {
      const answer = await control.phones({ ...window, after: this.cursor });
      // The window may have changed during the request.
      if (window !== this.window) return;
      this.cursor = answer.cursor;
      this.take(answer, window);
    } catch {
      // The feed reports the failure, and the next change repeats the request.
    }
  }
}
