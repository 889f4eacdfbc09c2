/// The script of the plan page, which filters and copies.
///
/// It reads the page's own attributes and makes no requests.
enum PlanPageScript {
    static let source: StaticString = #"""

        (() => {
          "use strict";
          const all = (query, root = document) => [...root.querySelectorAll(query)];
          const part = id => document.getElementById(id);

          // Copying. The older call works where a browser refuses the newer one, as in a frame.
          const copy = part("copy");
          if (copy) {
            copy.hidden = false;
            copy.addEventListener("click", async () => {
              const command = part("command");
              try {
                await navigator.clipboard.writeText(command.textContent);
              } catch {
                getSelection().selectAllChildren(command);
                document.execCommand("copy");
              }
              part("copied").textContent = " Copied";
            });
          }

          const panel = part("filter");
          if (!panel) return;
          panel.hidden = false;
          const query = part("query");
          const kind = part("kind");
          const choices = all(".choice", panel);
          const sends = all("[data-day]");
          const subjects = all("[data-kind]");
          const days = all(".weeks > li");
          const today = document.querySelector(".weeks .today time")?.dateTime;

          const pad = number => String(number).padStart(2, "0");
          const plus = (day, count) => {
            const [year, month, date] = day.split("-").map(Number);
            const other = new Date(Date.UTC(year, month - 1, date + count));
            return `${other.getUTCFullYear()}-${pad(other.getUTCMonth() + 1)}-${pad(other.getUTCDate())}`;
          };
          // Weeks begin on Monday.
          const fromMonday = day => (new Date(day + "T00:00:00Z").getUTCDay() + 6) % 7;
          const periods = today ? {
            today: [today, today],
            tomorrow: [plus(today, 1), plus(today, 1)],
            week: [today, plus(today, 6 - fromMonday(today))],
            next: [plus(today, 7 - fromMonday(today)), plus(today, 13 - fromMonday(today))],
          } : {};

          // A day's heading chooses the day.
          for (const day of days) {
            const heading = day.querySelector("h3");
            if (!heading) continue;
            const button = document.createElement("button");
            button.type = "button";
            button.className = "choice day";
            button.dataset.on = heading.querySelector("time").dateTime;
            button.setAttribute("aria-pressed", "false");
            button.append(...heading.childNodes);
            heading.append(button);
            choices.push(button);
          }

          const pressed = name => choices.filter(choice =>
            choice.dataset[name] !== undefined && choice.getAttribute("aria-pressed") === "true");
          const phone = () => ({
            topics: new Set(pressed("topic").map(choice => choice.dataset.topic)),
            lists: new Set(pressed("list").map(choice => choice.dataset.list)),
          });

          // Whether a send reaches a phone: "yes", "no", or the topics that it also needs.
          const reach = (element, { topics, lists }) => {
            if (element.dataset.list !== undefined) return lists.has(element.dataset.list) ? "yes" : "no";
            if (element.dataset.topics === undefined) return "no";
            const names = element.dataset.topics.split(" ");
            const mask = Number(element.dataset.reached);
            const reached = set => (mask >>> set) & 1;
            const own = names.reduce((set, name, bit) => topics.has(name) ? set | (1 << bit) : set, 0);
            if (reached(own)) return "yes";
            if (!own) return "no";
            const size = set => set ? (set & 1) + size(set >>> 1) : 0;
            const more = [...Array(1 << names.length).keys()]
              .filter(set => (set & own) === own && reached(set))
              .sort((one, two) => size(one) - size(two))[0];
            if (more === undefined) return "no";
            return names.filter((_, bit) => (more & ~own) >>> bit & 1).join(" and ");
          };

          const texts = new Map();
          for (const element of [...subjects, ...sends]) {
            const { campaign } = element.dataset;
            const text = element.textContent + " " + (element.dataset.list ?? element.dataset.topics ?? "");
            texts.set(campaign, (texts.get(campaign) ?? "") + " " + text.toLowerCase());
          }
          // Notes are on elements that the filter adds itself, so they are no part of the texts.
          const note = (element, text) => {
            element.querySelector(":scope .only-if")?.remove();
            if (!text) return;
            const mark = document.createElement("small");
            mark.className = "only-if";
            mark.textContent = ` only if also in ${text}`;
            (element.querySelector("th, summary, .flat") ?? element).append(mark);
          };

          const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
          // The zone of a campaign with most sends counts, because a phone is in one of them.
          const load = shown => {
            const parts = new Map();
            for (const send of shown) {
              const { campaign, part, day } = send.dataset;
              if (!parts.has(campaign)) parts.set(campaign, new Map());
              const days = parts.get(campaign);
              if (!days.has(part)) days.set(part, new Map());
              const sums = days.get(part);
              sums.set(day, (sums.get(day) ?? 0) + Number(send.dataset.count));
            }
            const sum = sums => [...sums.values()].reduce((total, one) => total + one, 0);
            const byDay = new Map();
            for (const zones of parts.values()) {
              const most = [...zones.values()].sort((one, two) => sum(two) - sum(one))[0];
              for (const [day, one] of most) byDay.set(day, (byDay.get(day) ?? 0) + one);
            }
            return { total: sum(byDay), most: Math.max(0, ...byDay.values()) };
          };

          const update = () => {
            const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
            const device = phone();
            const hasPhone = device.topics.size + device.lists.size > 0;
            const day = pressed("on")[0]?.dataset.on;
            const period = day ? [day, day] : periods[pressed("period")[0]?.dataset.period];
            const isFiltered = words.length > 0 || hasPhone || Boolean(period) || Boolean(kind?.value);
            document.body.classList.toggle("filtered", isFiltered);

            const kinds = new Map(subjects.map(one => [one.dataset.campaign, one.dataset.kind]));
            const matches = element => {
              const { campaign } = element.dataset;
              if (!words.every(word => texts.get(campaign).includes(word))) return false;
              return !kind?.value || (element.dataset.kind ?? kinds.get(campaign)) === kind.value;
            };
            const inPeriod = new Set();
            const sure = [];
            for (const send of sends) {
              const isInPeriod = !period || (send.dataset.day >= period[0] && send.dataset.day <= period[1]);
              const found = hasPhone ? reach(send, device) : "yes";
              const isShown = matches(send) && isInPeriod && found !== "no";
              send.hidden = !isShown;
              note(send, isShown && found !== "yes" ? found : "");
              if (isShown) inPeriod.add(send.dataset.campaign);
              if (isShown && found === "yes" && send.localName === "li") sure.push(send);
            }
            for (const subject of subjects) {
              const found = hasPhone ? reach(subject, device) : "yes";
              const isInPeriod = !period || inPeriod.has(subject.dataset.campaign);
              subject.hidden = !(matches(subject) && isInPeriod && found !== "no");
              note(subject, !subject.hidden && found !== "yes" ? found : "");
            }
            for (const group of all(".audience-sends, .kind")) {
              group.hidden = isFiltered && all("[data-campaign]", group).every(one => one.hidden);
            }
            for (const cell of days) {
              const date = cell.querySelector("time")?.dateTime;
              const isOut = Boolean(period) && date && (date < period[0] || date > period[1]);
              cell.classList.toggle("out", Boolean(isOut));
              cell.classList.toggle("empty", isFiltered && all("[data-day]", cell).every(one => one.hidden));
            }
            const rows = all(".changes-table tbody tr");
            const shown = rows.filter(row => !row.hidden).length;
            const none = document.querySelector(".no-match");
            if (none) none.hidden = shown > 0;
            const number = sends.filter(send => send.localName === "li" && !send.hidden)
              .reduce((total, send) => total + Number(send.dataset.count), 0);
            const messages = load(sure);
            const ratio = isFiltered ? `${shown} of ` : "";
            const found = [ratio + count(rows.length, "change"), count(number, "send")];
            const sentence = hasPhone
              ? ` Such a phone gets ${count(messages.total, "message")}, at most ${messages.most} a day.` : "";
            part("found").textContent = `${isFiltered ? "Shown" : "Everything is shown"}: ${found.join(", ")}.${sentence}`;
            part("reset").disabled = !isFiltered;
          };

          // Periods and days exclude each other; topics and lists do not.
          const isOfTime = choice => choice.dataset.period !== undefined || choice.dataset.on !== undefined;
          for (const choice of choices) {
            choice.addEventListener("click", () => {
              const isOn = choice.getAttribute("aria-pressed") === "true";
              if (isOfTime(choice)) {
                for (const other of choices.filter(isOfTime)) other.setAttribute("aria-pressed", "false");
              }
              choice.setAttribute("aria-pressed", String(!isOn));
              update();
            });
          }
          query.addEventListener("input", update);
          kind?.addEventListener("change", update);
          part("reset").addEventListener("click", () => {
            query.value = "";
            if (kind) kind.value = "";
            for (const choice of choices) choice.setAttribute("aria-pressed", "false");
            update();
            query.focus();
          });
          // A link to an entry unfolds it.
          const unfold = () => {
            const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
            const fold = target?.closest("article")?.querySelector("details");
            if (fold) fold.open = true;
          };
          addEventListener("hashchange", unfold);
          unfold();
          update();
        })();

        """#
}
