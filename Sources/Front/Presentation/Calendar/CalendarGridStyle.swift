/// The style of a grid of weeks, which is a list of days on a phone.
enum CalendarGridStyle {
    static let weeks: StaticString = """
        .weekdays, .weeks { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr));
          gap: .35rem; }
        .weekdays { color: var(--quiet); font-size: .85rem; margin-bottom: .2rem; }
        .weekdays li { padding-inline-start: .4rem; }
        .weeks > li { background: var(--card); border: 1px solid var(--line); border-radius: .4rem;
          padding: .35rem .4rem; min-height: 5.5rem; font-size: .8rem; line-height: 1.35; }
        .weeks > .free { background: none; color: var(--quiet); border-style: dashed; }
        .weeks > .outside { background: none; border: 0; }
        .weeks > .today { border: 2px solid var(--send); }
        .weeks h3, .date { font-size: .85rem; line-height: 1.3; }
        .weeks > li { position: relative; }
        .weeks .weekday { position: absolute; width: 1px; height: 1px; overflow: hidden;
          clip-path: inset(50%); white-space: nowrap; }
        .audience { color: var(--quiet); margin-top: .35rem; }
        .state { white-space: nowrap; }
        .state-sent { color: var(--add); } .state-scheduled { color: var(--send); }
        .state-in_progress { color: var(--send); } .state-deferred { color: var(--wait); }
        .state-paused { color: var(--change); } .state-stopped { color: var(--attention); }
        .state-held { color: var(--attention); } .state-expired { color: var(--remove); }
        .state-cancelled { color: var(--remove); }
        .dropped { text-decoration: line-through; }
        """

    static let narrow: StaticString = """
        @media (max-width: 48rem) {
          .weekdays, .weeks > .free, .weeks > .outside { display: none; }
          .weeks { grid-template-columns: minmax(0, 1fr); }
          .weeks > li { min-height: 0; font-size: .9rem; padding: .5rem .7rem; }
          .weeks .weekday { position: static; clip-path: none; }
        }
        """
}
