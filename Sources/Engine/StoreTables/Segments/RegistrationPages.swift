package import CampaignModel
import FoundationEssentials
package import State

// MARK: - Pages

extension SegmentTables {
    /// The page with a number; nil if there is none.
    package func page(_ number: UInt32) throws -> RegistrationPage? {
        let row = try db.row(
            "SELECT registrations, checksum FROM registration_pages WHERE id = ?",
            arguments: [Int64(number)]
        )
        guard let row else { return nil }
        let stored = try row.decode(Data.self, atIndex: 0)
        guard try row.decode(Int64.self, atIndex: 1) == Checksum.of(stored) else {
            throw damaged("stored registrations do not match their checksum")
        }
        let content = try sealer.open(stored, at: .registrations(page: Int64(number)))
        guard let page = RegistrationPage(content) else {
            throw damaged("a member's registration is invalid")
        }
        return page
    }

    /// The registrations of members, in their order.
    package func registrations(of members: [MembershipRecord]) throws -> [Registration] {
        var pages: [UInt32: RegistrationPage] = [:]
        return try members.map { member in
            let place = member.place
            let page = try pages[place.page] ?? self.page(place.page)
            pages[place.page] = page
            guard let registration = page?.registration(place.slot) else {
                throw damaged("a member's registration is invalid")
            }
            return registration
        }
    }

    /// Overwrites registrations; pages without any others are deleted.
    package func erase(_ places: [RegistrationPlace]) throws {
        for (number, places) in Dictionary(grouping: places, by: \.page) {
            guard let page = try self.page(number) else { continue }
            guard let rest = page.erasing(Set(places.map(\.slot))) else {
                try deletePage(number)
                continue
            }
            let content = try sealer.seal(rest, at: .registrations(page: Int64(number)))
            try db.run(
                "UPDATE registration_pages SET registrations = ?, checksum = ? WHERE id = ?",
                arguments: [content, Checksum.of(content), Int64(number)]
            )
        }
    }

    package func deletePage(_ number: UInt32) throws {
        try db.run("DELETE FROM registration_pages WHERE id = ?", arguments: [Int64(number)])
    }
}

/// Stores registrations of one scope in new pages, in the order of their fingerprints.
package struct RegistrationPageWriter {
    private let tables: SegmentTables
    private let scope: Int64
    private var number: Int64
    private var builder = RegistrationPageBuilder()

    package init(_ tables: SegmentTables, scope: Int64) throws {
        self.tables = tables
        self.scope = scope
        number = try tables.db.lastRegistrationPage() + 1
    }

    /// Returns the place of a packed registration; it is stored at the latest by `finish`.
    package mutating func add(
        _ entry: ArraySlice<UInt8>,
        of fingerprint: Fingerprint
    ) throws -> RegistrationPlace {
        var slot = builder.add(entry, of: fingerprint)
        if slot == nil {
            try finish()
            slot = builder.add(entry, of: fingerprint)
        }
        guard let slot, let page = UInt32(exactly: number) else {
            throw StateStoreError.failed(
                path: tables.sealer.path,
                reason: "it has no room for more registrations"
            )
        }
        return RegistrationPlace(page: page, slot: slot)
    }

    /// Stores the page that has been begun.
    package mutating func finish() throws {
        guard builder.count > 0 else { return }
        let content = try tables.sealer.seal(
            builder.finish(),
            at: .registrations(page: number)
        )
        try tables.db.run(
            "INSERT INTO registration_pages (id, scope, checksum, registrations) VALUES (?, ?, ?, ?)",
            arguments: [number, scope, Checksum.of(content), content]
        )
        tables.db.didInsertRegistrationPage(number)
        number += 1
    }
}
