/// The style sheets of the page: light, dark, narrow, wide and print.
///
/// All text has a contrast of at least 4.5 to 1 (Web Content Accessibility Guidelines 2.2, success
/// criterion 1.4.3), and no information is conveyed by colour alone (1.4.1).
enum PlanPageStyle {
    static let sheets: [StaticString] = [
        PageStyle.colours, PageStyle.page, PlanPageStyle.head, PlanPageStyle.table,
        CalendarGridStyle.weeks, entries, phones, narrow, CalendarGridStyle.narrow, paper,
    ]

    private static let head: StaticString = """
        body { max-width: 92rem; } header > p { max-width: 76rem; } header > .facts { margin-top: 1rem; }
        header > .destination { max-width: none; }
        @media (min-width: 120rem) { body { max-width: 140rem; } .kind { display: grid;
          grid-template-columns: 1fr 1fr; gap: 0 1.5rem; align-items: start; }
          .kind > h2 { grid-column: 1 / -1; } }
        .destination { display: block; border: 1px solid var(--line); border-inline-start: .35rem
          solid var(--wait); border-radius: .4rem; background: var(--card); padding: .5rem .8rem;
          margin-bottom: 1rem; }
        .destination.real { border-inline-start-color: var(--attention); }
        .panel { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
          padding: .8rem 1rem; }
        [hidden] { display: none !important; }
        #filter { display: grid; gap: .6rem; margin-top: 1.5rem; }
        .controls { display: flex; flex-wrap: wrap; gap: .4rem .5rem; align-items: center; }
        .controls > span:first-child { min-width: 5rem; }
        .controls label:first-child { min-width: 5rem; color: var(--quiet); }
        .controls label + select { margin-inline-end: auto; }
        button, input, select { font: inherit; font-size: .9rem; color: var(--ink);
          background: var(--ground); border: 1px solid var(--quiet); border-radius: .4rem;
          padding: .25rem .7rem; }
        input { flex: 1 1 12rem; max-width: 24rem; } select { max-width: 100%; }
        button { cursor: pointer; } button:disabled { color: var(--quiet); cursor: default; }
        button:hover:not(:disabled), select:hover { border-color: var(--link); }
        button:focus-visible, input:focus-visible, select:focus-visible, .scrolling:focus-visible {
          outline: 3px solid var(--link); outline-offset: 2px; }
        .choice { border-radius: 1rem; padding: .1rem .75rem; }
        .choice[aria-pressed=true] { background: var(--link); border-color: var(--link);
          color: var(--card); }
        .choice[aria-pressed=true]::before { content: "✓ " / ""; }
        #found { font-weight: 600; } #copy { padding: .05rem .6rem; }
        .only-if { color: var(--change); }
        """

    private static let table: StaticString = """
        .changes-table tbody tr:hover { background: var(--ground); }
        .changes-table th[scope=row] { min-width: 11rem; }
        .changes-table .sign { margin-inline-end: .15rem; }
        .source { font-size: .92em; overflow-wrap: anywhere; }
        .weeks .surplus, .filtered .weeks .more { display: none; }
        .filtered .weeks .surplus { display: list-item; }
        .filtered .weeks div.surplus { display: block; }
        .weeks > li.out, .weeks > li.empty { background: none; border-style: dashed; }
        .weeks .day { border: 0; background: none; padding: 0; font-weight: 700; font-size: inherit;
          color: inherit; text-align: start; } .weeks .day:hover { text-decoration: underline; }
        .weeks .day[aria-pressed=true] { background: var(--link); color: var(--card);
          padding: 0 .5rem; }
        #load { margin-bottom: .7rem; } .weeks + details, .weeks + p { margin-top: .7rem; }
        """

    private static let entries: StaticString = """
        .entry { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
          margin: .7rem 0; padding: .8rem 1rem; }
        summary { cursor: pointer; } .entry h3 { display: inline; font-size: 1.05rem; }
        .entry > details > summary, .flat { display: grid;
          grid-template-columns: auto minmax(0, 1fr) auto; column-gap: .7rem;
          align-items: baseline; }
        .entry > details > summary::-webkit-details-marker { display: none; }
        .entry > details > summary::after { content: "▸" / ""; color: var(--quiet); grid-column: 3;
          grid-row: 1; }
        .entry > details[open] > summary::after { content: "▾" / ""; }
        .entry > details > summary .sign, .flat .sign { grid-row: 1; }
        .headline { grid-column: 2; }
        .entry > details > summary ~ * { margin-top: .8rem; }
        .about { color: var(--quiet); }
        .sign { display: inline-block; width: 1.5rem; height: 1.5rem; line-height: 1.4rem;
          text-align: center; border: 1.5px solid; border-radius: .35rem;
          font: 700 1rem/1.3rem ui-monospace, monospace; }
        .sign-send { color: var(--send); } .sign-add { color: var(--add); }
        .sign-change { color: var(--change); } .sign-remove { color: var(--remove); }
        .sign-wait { color: var(--wait); } .sign-attention { color: var(--attention); }
        .more li { margin-top: .3rem; }
        .notices li { background: var(--note); border-inline-start: 4px solid var(--change);
          border-radius: .25rem; padding: .35rem .7rem; margin: .35rem 0; }
        .guards li { background: var(--card); border: 1px solid var(--line); padding: .5rem .8rem;
          border-inline-start: 4px solid var(--quiet); border-radius: .25rem; margin: .35rem 0; }
        .guards .guard-refused { border-color: var(--attention); }
        .guard-refused .outcome { color: var(--attention); }
        .guard-bypassed .outcome { color: var(--change); }
        .diff { white-space: pre-wrap; }
        ins { background: var(--added); text-decoration: underline; text-underline-offset: .2em; }
        del { background: var(--removed); text-decoration: line-through; }
        ins, del { border-radius: .2rem; padding: 0 .15rem; color: var(--ink); }
        ins::before { content: "+" / ""; display: inline-block; }
        del::before { content: "−" / ""; display: inline-block; }
        .elided { color: var(--quiet); font-style: italic; }
        """

    private static let phones: StaticString = """
        .phones { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem;
          margin-bottom: 1rem; align-items: start; }
        .phone figcaption { color: var(--quiet); font-size: .9rem; margin-bottom: .3rem; }
        .phone figcaption strong { color: var(--ink); }
        .screen { background: var(--screen); border: 3px solid var(--quiet); border-radius: 1.6rem;
          padding: .9rem .7rem 1.1rem; min-height: 10rem; }
        .web .screen { border-radius: .5rem; border-width: 2px; }
        .clock { text-align: center; font-size: 1.9rem; font-weight: 300; line-height: 1.2;
          margin-bottom: .6rem; }
        .android .clock { text-align: start; font-size: 1.1rem; padding-inline-start: .4rem; }
        .web .clock { text-align: end; font-size: .85rem; }
        .card { background: var(--bubble); border-radius: 1rem; padding: .6rem .8rem;
          font-size: .9rem; line-height: 1.35; }
        .android .card { border-radius: 1.4rem; } .web .card { border-radius: .4rem;
          box-shadow: 0 1px 5px #0006; }
        .app { display: flex; align-items: center; gap: .45rem; color: var(--quiet);
          font-size: .78rem; } .now { margin-inline-start: auto; }
        .icon { flex: none; width: 1.25rem; height: 1.25rem; border-radius: 50%; background:
          var(--send); color: var(--bubble); font: 700 .75rem/1.25rem system-ui, sans-serif;
          text-align: center; }
        .apple .icon { border-radius: .3rem; } .web .icon { border-radius: .15rem; }
        .card .title { font-weight: 600; margin-top: .2rem; white-space: pre-wrap; }
        .card .body { white-space: pre-wrap; }
        .folded .title, .folded .body { display: -webkit-box; -webkit-box-orient: vertical;
          overflow: hidden; -webkit-line-clamp: 4; }
        .folded .title, .android .folded .body { -webkit-line-clamp: 1; }
        .image { margin-top: .5rem; padding: .5rem; border: 1.5px dashed var(--quiet);
          border-radius: .4rem; color: var(--quiet); font-size: .78rem; }
        .folded .image { float: inline-end; width: 3.2rem; margin: .2rem 0 0 .5rem; padding: .7rem 0;
          text-align: center; font-size: .68rem; }
        .delivery { margin-top: .5rem; font-size: .85rem; color: var(--quiet); }
        .delivery li + li { border-top: 1px solid var(--line); }
        .delivery li { padding: .2rem 0; }
        .unfolded .image { padding-block: 1.4rem; text-align: center; }
        .screen summary { font-size: .8rem; padding: .45rem .4rem .3rem; }
        .nothing { color: var(--quiet); text-align: center; padding: 1.5rem .5rem; }
        """

    private static let narrow: StaticString = """
        @media (max-width: 48rem) {
          body { padding: .8rem; } h1 { font-size: 1.4rem; }
          .changes-table, .changes-table tbody, .changes-table tr, .changes-table th,
          .changes-table td { display: block; }
          .changes-table thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
            clip-path: inset(50%); }
          .changes-table tr { padding: .5rem 0; border-top: 1px solid var(--line); }
          .changes-table tbody tr:first-child { border-top: 0; padding-top: 0; }
          .changes-table th, .changes-table td { border: 0; padding: .1rem 0; }
          .changes-table td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); }
          .changes-table td::before { content: attr(data-column); color: var(--quiet);
            font-size: .85em; grid-column: 1; grid-row: 1 / span 9; }
          .changes-table td > * { grid-column: 2; }
          .phones { grid-template-columns: minmax(0, 1fr); }
          .screen { min-height: 0; max-width: 22rem; }
          .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
          .facts dt, .facts dd { grid-column: 1; } .facts dt { margin-top: .4rem; }
          .entry { padding: .7rem .75rem; }
        }
        """

    /// Print unfolds everything.
    private static let paper: StaticString = """
        @media print {
          :root { color-scheme: light; }
          body { max-width: none; padding: 0; background: none; font-size: 10pt; }
          details::details-content { content-visibility: visible; block-size: auto; }
          .skip, nav, .entry > details > summary::after { display: none; }
          .entry, .phone, .weeks > li, tr { break-inside: avoid; } h2, h3, h4 { break-after: avoid; }
          #filter, #copy { display: none; } .surplus { display: list-item; } .weeks .more { display: none; }
          .phones { grid-template-columns: repeat(3, minmax(0, 1fr)); }
        }
        """
}
