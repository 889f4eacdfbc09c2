/// The style sheets of the calendar page.
///
/// All text has a contrast of at least 4.5 to 1, and no information is conveyed by colour alone.
enum CalendarPageStyle {
    static let sheets: [StaticString] = [
        PageStyle.colours, PageStyle.page, CalendarGridStyle.weeks, narrow,
        CalendarGridStyle.narrow,
        paper,
    ]

    private static let narrow: StaticString = """
        @media (max-width: 48rem) {
          body { padding: .8rem; } h1 { font-size: 1.4rem; }
          .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
          .facts dt, .facts dd { grid-column: 1; } .facts dt { margin-top: .4rem; }
        }
        """

    private static let paper: StaticString = """
        @media print {
          :root { color-scheme: light; }
          body { max-width: none; padding: 0; background: none; font-size: 10pt; }
          .skip { display: none; }
          .weeks > li, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
        }
        """
}
