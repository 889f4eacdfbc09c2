package import CampaignModel
import FoundationEssentials
package import State
import Time

extension TableStore {
    package func upstreamPosition() throws(StateStoreError) -> InboxPosition? {
        try read { db in
            guard let row = try db.row("SELECT inbox, number FROM upstream_position") else {
                return nil
            }
            return InboxPosition(
                inbox: try row.decode(String.self, atIndex: 0),
                number: try row.decode(Int64.self, atIndex: 1)
            )
        }
    }

    package func record(
        _ changes: [UpstreamChange],
        upTo position: InboxPosition
    ) throws(StateStoreError) {
        try write { db in
            for change in changes { try record(change, in: db) }
            try db.run(
                """
                INSERT INTO upstream_position (id, inbox, number) VALUES (1, ?, ?)
                ON CONFLICT (id) DO UPDATE SET inbox = excluded.inbox, number = excluded.number
                """,
                arguments: [position.inbox, position.number]
            )
        }
    }

    private func record(_ change: UpstreamChange, in db: any StateDatabase) throws {
        switch change {
        case .optOut(let fingerprint, let time):
            try db.run(
                "INSERT INTO opt_outs (fingerprint, since) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [fingerprint.blob, time.secondsSince1970]
            )
        case .subscribe(let member, let topics, let rule):
            try insert(member, of: rule, in: db)
            for topic in topics {
                try db.run(
                    "DELETE FROM upstream_exclusions WHERE topic = ? AND fingerprint = ?",
                    arguments: [topic.name, member.fingerprint.blob]
                )
            }
        case .unsubscribe(let fingerprint, let topics, let time):
            for topic in topics {
                try db.run(
                    """
                    INSERT INTO upstream_exclusions (topic, fingerprint, since) VALUES (?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """,
                    arguments: [topic.name, fingerprint.blob, time.secondsSince1970]
                )
            }
        case .reply(let replies): try open(replies, in: db)
        case .answer(let answer):
            try db.run(
                """
                INSERT INTO upstream_answers (campaign, name, inbox, number, fingerprint, at)
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                arguments: [
                    answer.event.campaign.rawValue, answer.event.name, answer.message.inbox,
                    answer.message.number, answer.fingerprint.blob, answer.time.secondsSince1970,
                ]
            )
        }
    }

    private func insert(
        _ member: Member,
        of rule: UpstreamRuleID,
        in db: any StateDatabase
    ) throws {
        let place = SealedPlace.upstreamMember(rule: rule.rawValue, member.fingerprint)
        try db.run(
            """
            INSERT INTO upstream_members (rule, fingerprint, registration) VALUES (?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            arguments: [
                rule.rawValue, member.fingerprint.blob,
                try sealer.seal(Data(member.registration.token.utf8), at: place),
            ]
        )
    }
}

// MARK: - Reading

extension TableStore {
    package func upstreamStanding(
        of rules: [UpstreamRuleID]
    ) throws(StateStoreError) -> UpstreamStanding {
        try read { db in
            var excluded: [Topic: Set<Fingerprint>] = [:]
            for row in try db.allRows("SELECT fingerprint, topic FROM upstream_exclusions") {
                guard let topic = Topic(try row.decode(String.self, atIndex: 1)) else {
                    throw damaged("a topic has an invalid name")
                }
                excluded[topic, default: []].insert(try fingerprint(row))
            }
            var members: [UpstreamRuleID: [Fingerprint: Registration]] = [:]
            for rule in rules { members[rule] = try upstreamMembers(of: rule, in: db) }
            return UpstreamStanding(
                optedOut: Set(try optOuts(in: db)),
                excluded: excluded,
                members: members
            )
        }
    }

    private func upstreamMembers(
        of rule: UpstreamRuleID,
        in db: any StateDatabase
    ) throws -> [Fingerprint: Registration]? {
        var members: [Fingerprint: Registration] = [:]
        let rows = try db.allRows(
            "SELECT fingerprint, registration FROM upstream_members WHERE rule = ?",
            arguments: [rule.rawValue]
        )
        for row in rows {
            let fingerprint = try fingerprint(row)
            let place = SealedPlace.upstreamMember(rule: rule.rawValue, fingerprint)
            let plain = try opened(try row.decode(Data.self, atIndex: 1), at: place)
            guard let registration = Registration(String(decoding: plain, as: UTF8.self)) else {
                throw damaged("a registration that a message subscribed cannot be read")
            }
            members[fingerprint] = registration
        }
        return members.isEmpty ? nil : members
    }

    package func optedOut() throws(StateStoreError) -> DeadRegistrations {
        try read { db in DeadRegistrations(sorted: try optOuts(in: db)) }
    }

    package func skippedRegistrations() throws(StateStoreError) -> DeadRegistrations {
        try read { db in
            var found: [Fingerprint] = []
            let rows = try db.rows(
                "SELECT fingerprint FROM dead UNION SELECT fingerprint FROM opt_outs ORDER BY 1"
            )
            while let row = try rows.next() { found.append(try fingerprint(row)) }
            return DeadRegistrations(sorted: found)
        }
    }

    package func skippedRegistrations(
        among fingerprints: [Fingerprint]
    ) throws(StateStoreError) -> DeadRegistrations {
        let dead = try deadRegistrations(among: fingerprints)
        let optedOut = try read { db in
            guard try db.row("SELECT 1 FROM opt_outs LIMIT 1") != nil else {
                return Set<Fingerprint>()
            }
            let rows = try db.rows(
                "SELECT fingerprint FROM opt_outs WHERE",
                arguments: [],
                where: "fingerprint",
                isAmong: fingerprints.map { .blob($0.blob) }
            )
            return Set(try rows.map { row in try fingerprint(row) })
        }
        return dead.union(optedOut)
    }

    /// In ascending order.
    private func optOuts(in db: any StateDatabase) throws -> [Fingerprint] {
        var found: [Fingerprint] = []
        let rows = try db.rows("SELECT fingerprint FROM opt_outs ORDER BY fingerprint")
        while let row = try rows.next() { found.append(try fingerprint(row)) }
        return found
    }

    package func optIn(_ fingerprints: [Fingerprint]) throws(StateStoreError) -> Int {
        try write { db in
            var count = 0
            for fingerprint in fingerprints {
                try db.run(
                    "DELETE FROM opt_outs WHERE fingerprint = ?",
                    arguments: [fingerprint.blob]
                )
                count += try db.changes()
            }
            return count
        }
    }

    package func upstreamAnswers(
        to campaign: CampaignID
    ) throws(StateStoreError) -> [UpstreamAnswer] {
        try read { db in
            let rows = try db.allRows(
                """
                SELECT fingerprint, name, inbox, number, at FROM upstream_answers
                WHERE campaign = ? ORDER BY at, number, name
                """,
                arguments: [campaign.rawValue]
            )
            return try rows.map { row in
                UpstreamAnswer(
                    UpstreamEvent(
                        name: try row.decode(String.self, atIndex: 1),
                        campaign: campaign
                    ),
                    message: InboxPosition(
                        inbox: try row.decode(String.self, atIndex: 2),
                        number: try row.decode(Int64.self, atIndex: 3)
                    ),
                    from: try fingerprint(row),
                    at: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 4))
                )
            }
        }
    }
}
