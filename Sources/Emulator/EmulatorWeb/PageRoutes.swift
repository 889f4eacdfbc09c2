package import EmulatorAPI

extension RouteTable {
    /// All routes of the emulator.
    package static let served = RouteTable(page: page)

    private static let page: [Row] =
        PageFile.allCases.map { file in
            row(file.query, documentation: file == .document ? .page : .pageFile(file))
        } + [
            row(.changes, documentation: .changes), row(.phones, documentation: .phones),
        ]

    private static func row(_ query: PageQuery, documentation: RouteDocumentation) -> Row {
        Row("GET", at: query.path, documentation: documentation) { _ in .look(.page(query)) }
    }
}

extension RouteDocumentation {
    static let page = RouteDocumentation(
        "The page that shows the phones. With the header Metadata-Flavor: Google it identifies as "
            + "a metadata server.",
        answer: Body(schema: .text, mediaType: "text/html"),
        refusals: [403]
    )

    static func pageFile(_ file: PageFile) -> RouteDocumentation {
        RouteDocumentation(
            "A file of the page that shows the phones.",
            answer: Body(schema: .text, mediaType: file.mediaType),
            refusals: [403]
        )
    }
}
