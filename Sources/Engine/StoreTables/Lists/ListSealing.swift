package import CampaignModel

extension ContentSealer {
    /// Turns parts of a list into stored values, in order.
    ///
    /// `name`: of the list in its encrypted values. `first`: the number of the first row.
    package func values(
        of parts: [PackedRows],
        in name: String,
        from first: Int
    ) throws -> [ListValue] {
        var places: [(first: Int, rows: PackedRows)] = []
        var next = first
        for rows in parts where rows.count > 0 {
            places.append((next, rows))
            next += rows.count
        }
        return try mapInParallel(places, grain: 1) { place in
            Result {
                ListValue(
                    first: place.first,
                    count: place.rows.count,
                    bytes: try seal(place.rows.bytes, at: .list(name, first: place.first))
                )
            }
        }.map { try $0.get() }
    }
}
