/// The style sheet of the simulation page, for light and dark mode.
enum SimulationPageStyle {
    static let sheet: StaticString = """
        :root { color-scheme: light dark; --ground: #f4f6f8; --card: #fff; --line: #d5dae1;
          --ink: #161b22; --quiet: #4d5663; --none: #edf0f4; --l1: #d3e5f8; --l2: #a5caef;
          --l3: #63a1de; --l4: #2a74bd; --l5: #0a4482; --good: #2a74bd; --waits: #9aa5b4;
          --newer: #8a7bd1; --late: #dd9a2b; --lost: #c8443c; --other: #ccd3dc; }
        @media screen and (prefers-color-scheme: dark) { :root { --ground: #0f1318; --card: #181d24;
          --line: #333b47; --ink: #e8ecf2; --quiet: #a6b0be; --none: #232a33; --l1: #1b3a5a;
          --l2: #215282; --l3: #2f78bd; --l4: #5aa2e4; --l5: #b5daff; --good: #5aa2e4;
          --waits: #77828f; --newer: #9d8fe6; --late: #e3a945; --lost: #e5645b; --other: #47515e; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.25rem; background: var(--ground);
          color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1, h2, h3, p, ul, figure { margin: 0; } h1 { font-size: 1.75rem; } h2 { font-size: 1.2rem;
          margin: 1.6rem 0 .5rem; } ul { padding-inline-start: 1.2rem; }
        .quiet, caption, thead th { color: var(--quiet); }
        .card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
          padding: .9rem 1rem; } article.card { margin: .7rem 0; }
        .both { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; align-items: start; }
        article .both { margin-top: .7rem; grid-template-columns: minmax(0, 1fr) auto; }
        .line { display: grid; grid-template-columns: 12rem 1fr; gap: 0 .8rem;
          align-items: center; padding: .2rem 0; }
        .name { font-size: .9rem; text-align: end; line-height: 1.2; }
        .strip, .bar { display: flex; overflow: hidden; border-radius: .3rem; }
        .strip span, .bar span { flex: 1 1 0; height: 1.15rem; min-width: 0; }
        .strip .day { border-inline-start: 1px solid var(--card); }
        .strip.axis { overflow: visible; height: 1.2rem; } .strip.axis > span { position: relative;
          height: auto; overflow: visible; } .axis .tick { position: absolute; inset-block-end: 0;
          inset-inline-start: 0; height: auto; font-size: .8rem; color: var(--quiet);
          white-space: nowrap; }
        .legend { display: flex; gap: .6rem; align-items: center; font-size: .85rem;
          margin-top: .6rem; } .scale { display: flex; flex: none; }
        .scale span { width: 1rem; height: 1rem; }
        .bar { margin-bottom: .5rem; } .bar span { height: .8rem; }
        .mark { display: inline-block; width: .75rem; height: .75rem; border-radius: .2rem;
          vertical-align: -.05rem; }
        .good { background: var(--good); } .waits { background: var(--waits); }
        .newer { background: var(--newer); } .late { background: var(--late); }
        .lost { background: var(--lost); } .other { background: var(--other); }
        .note { font-size: .85rem; color: var(--quiet); margin-top: .3rem; }
        ul.notes { list-style: disc; padding-inline-start: 2.2rem; }
        code { font: .9em/1.4 ui-monospace, monospace; }
        .scrolling { overflow-x: auto; } .scrolling:focus-visible { outline: 3px solid var(--good);
          outline-offset: 2px; }
        .curve { max-width: 30rem; margin-bottom: .8rem; } .load { max-width: 40rem; }
        svg { display: block; width: 100%; height: auto; }
        svg text { fill: var(--quiet); font: 11px system-ui, sans-serif; }
        .grid { stroke: var(--line); } .median { stroke: var(--quiet); stroke-dasharray: 4 3; }
        .delivered { fill: none; stroke: var(--good); stroke-width: 2; }
        .bar-of-load { fill: var(--good); }
        .comparison { border-collapse: collapse; font-size: .9rem; }
        .comparison th, .comparison td { padding: .25rem .9rem .25rem 0;
          border-top: 1px solid var(--line); } .comparison thead th { border: 0; }
        .comparison th { white-space: normal; }
        .comparison td, .comparison thead th + th { text-align: end; white-space: nowrap;
          font-variant-numeric: tabular-nums; }
        table { border-collapse: separate; border-spacing: 2px; font-size: .85rem; }
        caption { caption-side: bottom; text-align: start; }
        th { font-weight: 400; text-align: start; white-space: nowrap; padding-inline-end: .5rem; }
        .outcomes td { text-align: end; padding-inline-end: .6rem; vertical-align: top;
          font-variant-numeric: tabular-nums; white-space: nowrap; }
        .outcomes th { white-space: normal; }
        .hours td { width: .95rem; height: .95rem; padding: 0; border-radius: .2rem; }
        .hours td span { position: absolute; width: 1px; height: 1px; overflow: hidden;
          clip-path: inset(50%); white-space: nowrap; background: var(--card); }
        .level0 { background: var(--none); } .level1 { background: var(--l1); }
        .level2 { background: var(--l2); } .level3 { background: var(--l3); }
        .level4 { background: var(--l4); } .level5 { background: var(--l5); }
        @media (min-width: 120rem) { body { max-width: 140rem; } .campaigns { display: grid;
          grid-template-columns: 1fr 1fr; gap: 0 2rem; align-items: start; } }
        @media (max-width: 56rem) { .both, article .both { grid-template-columns: minmax(0, 1fr); }
          article .both { gap: .8rem; } }
        @media (max-width: 40rem) { body { padding: .7rem; } .card { padding: .7rem .75rem; }
          .line { grid-template-columns: minmax(0, 1fr); } .name { text-align: start; }
          .name:empty { display: none; } .axis .tick { font-size: .65rem; }
          .hours { border-spacing: 1px; } .hours td { width: .5rem; }
          .hours th { font-size: .7rem; } .legend { align-items: start; } }
        """
}
