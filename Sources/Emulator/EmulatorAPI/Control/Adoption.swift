import DeliveryModel
import JSON

/// `POST /emulator/v1/registrations`: devices for registrations that already exist elsewhere.
extension DeliveryBackend {
    /// Decides to add one device per unknown registration; known registrations keep their devices.
    ///
    /// A device is named after the fingerprint of its registration.
    func decideAdoption(_ request: EmulatorRequest) throws(GoogleError) -> Decision {
        let fields = ControlFields(.object(try request.object(as: .adoption)), at: "")
        let platform =
            fields.text("platform") == nil ? .android : try fields.platform("platform")
        let topics = try fields.topics("topics")
        var devices: [DeviceSpecification] = []
        var seen: Set<DeviceRegistration> = []
        var known = 0
        let texts = fields.value["registrations"]?.arrayValue ?? []
        for (index, element) in texts.enumerated() {
            guard let registration = element.stringValue.flatMap({ DeviceRegistration($0) }) else {
                throw fields.refusal(
                    of: "registrations[\(index)]",
                    because: "It is not a valid registration."
                )
            }
            guard seen.insert(registration).inserted, owner(of: registration) == nil else {
                known += 1
                continue
            }
            devices.append(
                DeviceSpecification(
                    name: "adopted-" + Fingerprint(of: registration.text).text,
                    platform: platform,
                    registration: registration,
                    topics: topics
                )
            )
        }
        do throws(SeedingFailure) {
            try checkSeeding(of: devices)
        } catch {
            throw .control("topics", because: error.explanation)
        }
        return Decision(
            answer: .success([
                "added": .integer(Int64(devices.count)), "known": .integer(Int64(known)),
            ]),
            effect: .control(.seed(devices))
        )
    }
}

extension MessageShape {
    static let adoption = MessageShape(
        "herald.Adoption",
        fields: [("platform", platform), ("topics registrations", .list(.string))]
    )
}

extension RouteDocumentation {
    static let adopt = RouteDocumentation(
        "Adds a device for each registration that no device has.",
        body: .json(.shape(.adoption)),
        answer: .json(.record("Adopted", members: ["added": .count, "known": .count]))
    )
}
