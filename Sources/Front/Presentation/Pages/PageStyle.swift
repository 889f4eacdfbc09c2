/// The style sheets that several pages share: colours for light and dark mode, text and tables.
enum PageStyle {
    static let colours: StaticString = """
        :root { color-scheme: light dark;
          --ground: #f4f6f8; --card: #fff; --line: #d5dae1; --ink: #161b22; --quiet: #4d5663;
          --link: #0a58a8; --send: #0a58a8; --add: #176337; --change: #7d4b00; --remove: #9d1c2b;
          --wait: #55478f; --attention: #a81d1d; --added: #d7f3df; --removed: #fbdfe1;
          --note: #fff4d6; --screen: #dfe6ee; --bubble: #fff; }
        @media screen and (prefers-color-scheme: dark) { :root {
          --ground: #0f1318; --card: #181d24; --line: #333b47; --ink: #e8ecf2; --quiet: #a6b0be;
          --link: #7cb8ff; --send: #7cb8ff; --add: #6fd492; --change: #f0b65a; --remove: #ff9aa2;
          --wait: #bcaeff; --attention: #ff9a8f; --added: #123d22; --removed: #4a1a20;
          --note: #3a2f10; --screen: #27313d; --bubble: #10151b; } }
        """

    static let page: StaticString = """
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1.25rem; background: var(--ground);
          color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; }
        ul, ol { padding: 0; list-style: none; }
        h1 { font-size: 1.75rem; line-height: 1.2; } h1 small { font-weight: 400; color: var(--quiet); }
        h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; } h4 { margin: 1.1rem 0 .5rem; }
        .lead { font-size: 1.15rem; margin: .6rem 0 1rem; }
        .quiet, .count, small { color: var(--quiet); } small { font-size: .85em; }
        .stamp { white-space: nowrap; }
        .count { font-weight: 400; font-size: .9em; }
        a { color: var(--link); }
        a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px;
          border-radius: .25rem; }
        .skip { position: absolute; left: -100vw; }
        .skip:focus { position: static; }
        code { font: .9em/1.4 ui-monospace, monospace; }
        .digest { font-weight: 600; }
        .contents { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin-top: .9rem; }
        .facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; }
        .facts dt { grid-column: 1; color: var(--quiet); } .facts dd { grid-column: 2; }
        table { border-collapse: collapse; width: 100%; font-size: .92rem; }
        caption { text-align: start; color: var(--quiet); padding-bottom: .3rem; }
        th, td { text-align: start; vertical-align: top; padding: .3rem .9rem .3rem 0;
          border-top: 1px solid var(--line); font-weight: 400; }
        table + *, .scrolling + * { margin-top: .6rem; }
        thead th { border: 0; color: var(--quiet); } tbody th { font-weight: 600; }
        .scrolling { overflow-x: auto; } .scrolling th, .scrolling td { overflow-wrap: normal; }
        .scrolling .value { overflow-wrap: anywhere; min-width: 12rem; white-space: pre-wrap; }
        footer { margin-top: 2.5rem; border-top: 1px solid var(--line); }
        footer h2 { margin-top: 1.2rem; font-size: 1rem; }
        .legend { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin-bottom: .8rem; }
        """
}
