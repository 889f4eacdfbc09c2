package import CampaignModel
import FoundationEssentials
package import State

extension TableStore {
    package func deviceGroups() throws(StateStoreError) -> [DeviceGroupRecord] {
        try read { db in
            var groups: [DeviceGroupRecord] = []
            let rows = try db.rows("SELECT name, whole FROM device_groups ORDER BY name")
            while let row = try rows.next() {
                guard let name = DeviceGroupName(try row.decode(String.self, atIndex: 0)) else {
                    throw damaged("a device group's name cannot be read")
                }
                groups.append(
                    DeviceGroupRecord(
                        name: name,
                        members: try members(of: name, in: db),
                        isWhole: try row.decode(Bool.self, atIndex: 1)
                    )
                )
            }
            return groups
        }
    }

    private func members(
        of group: DeviceGroupName,
        in db: any StateDatabase
    ) throws -> Set<Fingerprint> {
        var members: Set<Fingerprint> = []
        let rows = try db.rows(
            "SELECT fingerprint FROM device_group_members WHERE name = ?",
            arguments: [group.text]
        )
        while let row = try rows.next() {
            guard let member = Fingerprint(blob: try row.decode(Data.self, atIndex: 0)) else {
                throw damaged("a fingerprint cannot be read")
            }
            members.insert(member)
        }
        return members
    }

    package func record(
        _ record: DeviceGroupRecord?,
        of name: DeviceGroupName
    ) throws(StateStoreError) {
        try write { db in
            try db.run("DELETE FROM device_groups WHERE name = ?", arguments: [name.text])
            guard let record else { return }
            try db.run(
                "INSERT INTO device_groups (name, whole) VALUES (?, ?)",
                arguments: [name.text, record.isWhole]
            )
            for member in record.members {
                try db.run(
                    "INSERT INTO device_group_members (name, fingerprint) VALUES (?, ?)",
                    arguments: [name.text, member.blob]
                )
            }
        }
    }
}
