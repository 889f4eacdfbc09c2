/// How the page of a simulation looks, in light and in dark.
enum SimulationPageStyle {
    static let sheet: StaticString = """
        :root { color-scheme: light dark; --ground: #f4f6f8; --card: #fff; --line: #d5dae1;
          --ink: #161b22; --quiet: #4d5663; --none: #e9edf2; --l1: #c6ddf5; --l2: #8fbce9;
          --l3: #4f93d6; --l4: #1f6bb5; --l5: #0a4482; }
        @media screen and (prefers-color-scheme: dark) { :root { --ground: #0f1318; --card: #181d24;
          --line: #333b47; --ink: #e8ecf2; --quiet: #a6b0be; --none: #222932; --l1: #17385a;
          --l2: #1f5488; --l3: #2f78bd; --l4: #5aa2e4; --l5: #a6d2ff; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.25rem; background: var(--ground);
          color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1, h2, h3, p, ul { margin: 0; } h1 { font-size: 1.75rem; } h2 { font-size: 1.2rem;
          margin: 1.6rem 0 .5rem; } ul { padding-inline-start: 1.2rem; }
        .quiet, caption { color: var(--quiet); }
        .campaign { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
          margin: .7rem 0; padding: .8rem 1rem; }
        .both { display: flex; flex-wrap: wrap; gap: 1rem 2rem; margin-top: .6rem; }
        table { border-collapse: separate; border-spacing: 2px; font-size: .85rem; }
        caption { caption-side: bottom; text-align: start; }
        th { font-weight: 400; text-align: start; white-space: nowrap; padding-inline-end: .5rem; }
        .outcomes td { text-align: end; padding-inline-end: .8rem;
          font-variant-numeric: tabular-nums; white-space: nowrap; }
        .outcomes th { white-space: normal; }
        .hours td { width: .95rem; height: .95rem; padding: 0; border-radius: .2rem; }
        .hours td span { position: absolute; width: 1px; height: 1px; overflow: hidden;
          clip-path: inset(50%); white-space: nowrap; }
        .level0 { background: var(--none); } .level1 { background: var(--l1); }
        .level2 { background: var(--l2); } .level3 { background: var(--l3); }
        .level4 { background: var(--l4); } .level5 { background: var(--l5); }
        @media (max-width: 34rem) { .hours { border-spacing: 1px; }
          .hours td { width: .5rem; } .hours th { font-size: .7rem; } body { padding: .7rem; } }
        """
}
