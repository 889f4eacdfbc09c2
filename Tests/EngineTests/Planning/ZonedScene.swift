import CampaignModel

/// Lists whose rows have time zones.
struct ZonedScene {
    private let scene: PlanScene

    init(_ scene: PlanScene) {
        self.scene = scene
    }

    /// Writes one registration per zone and returns the list.
    func list(
        _ zones: [String],
        reading: RegistrationFile.Reading = .atApply
    ) throws -> RegistrationList {
        let lines = try zones.enumerated().map { number, zone in
            "\(try scene.registration(number).token),\(zone)\n"
        }
        try scene.write("token,zone\n" + lines.joined(), to: "zoned.csv")
        return .described(
            RegistrationFile(
                path: "zoned.csv",
                format: .csv,
                kind: .token,
                column: "token",
                identity: nil,
                reading: reading,
                timeZone: "zone"
            )
        )
    }
}
