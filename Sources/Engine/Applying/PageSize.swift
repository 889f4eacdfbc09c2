/// The number of rows of a list, or of outcomes, that are in memory at a time.
///
/// A store keeps the outcomes of as many requests in one block.
enum PageSize {
    static let rows = 4_096
    static let outcomes = 4_096
}
