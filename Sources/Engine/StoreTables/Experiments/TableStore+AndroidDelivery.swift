package import State

extension TableStore {
    package func record(_ deliveries: [AndroidDelivery]) throws(StateStoreError) {
        try write { db in
            for delivery in deliveries {
                try db.run(
                    """
                    INSERT INTO android_deliveries (label, day, app, accepted, delivered)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT (label, day, app)
                    DO UPDATE SET accepted = excluded.accepted, delivered = excluded.delivered
                    """,
                    arguments: [
                        delivery.label, delivery.day, delivery.app, delivery.accepted,
                        delivery.delivered,
                    ]
                )
            }
        }
    }

    package func deliveries(of labels: [String]) throws(StateStoreError) -> [AndroidDelivery] {
        try read { db in
            var found: [AndroidDelivery] = []
            for label in labels {
                let rows = try db.allRows(
                    """
                    SELECT app, day, accepted, delivered FROM android_deliveries
                    WHERE label = ? ORDER BY day, app
                    """,
                    arguments: [label]
                )
                found += try rows.map { row in
                    AndroidDelivery(
                        app: try row.decode(String.self, atIndex: 0),
                        label: label,
                        day: try row.decode(String.self, atIndex: 1),
                        accepted: try row.decode(Int.self, atIndex: 2),
                        delivered: try row.decode(Double?.self, atIndex: 3)
                    )
                }
            }
            return found
        }
    }
}
