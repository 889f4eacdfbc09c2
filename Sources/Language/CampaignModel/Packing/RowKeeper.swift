/// Keeps the rows of a list while they are checked, so that what is sent is what was checked.
package protocol RowKeeper: AnyObject, Sendable {
    /// Keeps the next rows of the list.
    func append(_ rows: [PackedRows])
}
