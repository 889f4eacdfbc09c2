/// A query that the web page's module answers, because that module is above this one.
package struct PageQuery: Hashable, Sendable {
    package typealias Answer =
        @Sendable (EmulatorRequest, borrowing EmulatorCore) throws(GoogleError) -> RenderedAnswer

    /// The path, which identifies the query.
    package let path: String
    let answer: Answer

    package init(path: String, answer: @escaping Answer) {
        self.path = path
        self.answer = answer
    }

    package static func == (left: PageQuery, right: PageQuery) -> Bool {
        left.path == right.path
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
    }
}
