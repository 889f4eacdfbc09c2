import DeliveryModel
import EmulatorAuth
import JSON

/// The effect of a request on the model.
enum Effect: Sendable {
    case nothing
    case deliver(EffectiveMessage, MessageTarget, MessageID)
    case subscribe([DeviceRegistration], TopicName)
    case unsubscribe([DeviceRegistration], TopicName)
    case group(DeviceGroupChange)
    case control(ControlEffect)
    /// A change that does not concern the delivery model.
    case authority(AuthorityChange)
}

/// An answer, and the effect to perform after the request is recorded.
struct Decision: Sendable {
    var answer: EmulatorAnswer
    var effect = Effect.nothing
    /// The recorded replacement for the request's body and the answer, or nil to record both
    /// unchanged.
    var recorded: RecordedExchange?
}

extension DeliveryBackend {
    /// Decides a request without changing the model, because unrecorded changes must not happen.
    ///
    /// `sequence` is the request's number in the log. Message IDs are derived from it, so a
    /// replayed log gives the same IDs.
    func decide(
        _ request: EmulatorRequest,
        match: RouteMatch,
        sequence: Int,
        at now: DeliveryMoment
    ) -> Decision {
        do throws(GoogleError) {
            guard !request.isTooLarge else { throw .requestTooLarge }
            switch match {
            case .served(let route):
                return try decide(request, at: route, sequence: sequence, at: now)
            case .otherMethods(let methods): throw .methodNotAllowed(methods)
            case .nothing: throw .notFound(path: String(RequestTarget(request.target).path))
            }
        } catch {
            return Decision(answer: error.answer)
        }
    }

    private func decide(
        _ request: EmulatorRequest,
        at route: Route,
        sequence: Int,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        switch route {
        case .send(let project):
            return try decideSend(request, project: project, sequence: sequence, at: now)
        case .batchAdd, .batchRemove, .batchImport, .info, .membership:
            return decideInstanceID(request, at: route, now: now)
        case .topicSubscriptions(let place):
            guard request.isAuthorized else { throw .unauthenticated }
            return try decideTopicSubscriptions(request, of: place, at: now)
        case .topicSubscription(let place, let topic):
            guard request.isAuthorized else { throw .unauthenticated }
            return try decideTopicSubscription(request, to: topic, of: place, at: now)
        case .deviceGroups:
            return decideDeviceGroup(request, sequence: sequence)
        case .deliveryData(let place):
            return try decideDeliveryData(request, of: place, at: now)
        case .control(let control):
            return try decideControl(request, as: control, sequence: sequence, at: now)
        case .look, .oauth, .authority:
            return Decision(answer: .success())
        }
    }

    private func decideSend(
        _ request: EmulatorRequest,
        project: String,
        sequence: Int,
        at now: DeliveryMoment
    ) throws(GoogleError) -> Decision {
        guard request.isAuthorized else { throw .unauthenticated }
        try RequestTarget(request.target).refuseUnknownParameters()
        let send = try SendRequest(request, limits: limits)
        try check(send, project: project, at: now)
        let id =
            send.isValidateOnly
            ? MessageID("fake_message_id") : MessageID(sequence: sequence, for: send.target)
        let answer = EmulatorAnswer.success([
            "name": .string("projects/" + project + "/messages/" + id.text)
        ])
        guard !send.isValidateOnly else { return Decision(answer: answer) }
        var message = send.message
        message.request = sequence
        return Decision(answer: answer, effect: .deliver(message, send.target, id))
    }

    /// Checks the target of a send; for `validate_only` this excludes all rates.
    private func check(
        _ send: SendRequest,
        project: String,
        at now: DeliveryMoment
    ) throws(GoogleError) {
        guard case .registration(let registration) = send.target else {
            guard send.isValidateOnly || takesFanOut else { throw .topicQuotaExceeded() }
            return
        }
        switch standing(of: registration, project: project, package: send.message.packageName) {
        case .addressable: break
        case .unknown:
            throw send.namesToken && isMalformed(registration)
                ? .invalidRegistration : .unregistered
        case .ofOtherProject: throw .senderIDMismatch
        case .ofOtherPackage:
            throw .invalid(
                "message.android.restricted_package_name",
                because: "The registration token is not of the restricted package."
            )
        }
        guard send.isValidateOnly || isWithinAppleRate(registration, at: now) else {
            throw .apnsRateExceeded
        }
        guard !send.isValidateOnly else { return }
        guard isWithinDeviceRate(registration, at: now) else { throw .deviceQuotaExceeded() }
        guard takesFanOut || !isGroup(registration) else { throw .topicQuotaExceeded() }
    }

    mutating func perform(_ effect: Effect, at now: DeliveryMoment) {
        switch effect {
        case .nothing, .authority: break
        case .deliver(let message, let target, let id):
            _ = accept(message, id: id, for: target, at: now)
        case .subscribe(let registrations, let topic):
            countMembershipChanges(registrations.count, at: now)
            for registration in registrations { _ = subscribe(registration, to: topic, at: now) }
        case .unsubscribe(let registrations, let topic):
            countMembershipChanges(registrations.count, at: now)
            for registration in registrations { _ = unsubscribe(registration, from: topic) }
        case .group(let change):
            apply(change)
        case .control(let effect):
            perform(effect, at: now)
        }
    }
}

extension MessageID {
    /// Creates `0:<16 digits>%<16 hexadecimal digits>` for a single registration, and a decimal
    /// number for other targets.
    fileprivate init(sequence: Int, for target: MessageTarget) {
        let mixed = UInt64(sequence).mixed
        if case .registration = target {
            let number = String(1_600_000_000_000_000 + sequence)
            self.init("0:" + number + "%" + mixed.hexadecimal)
        } else {
            self.init(String(mixed >> 1))
        }
    }
}

extension UInt64 {
    /// One step of SplitMix64 (Steele, Lea and Flood), which maps different numbers to different
    /// numbers.
    var mixed: UInt64 {
        var bits = self &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// The number as 16 hexadecimal digits.
    package var hexadecimal: String {
        String(unsafeUninitializedCapacity: 16) { text in
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * place)) & 15
                text[place] = digit < 10 ? 0x30 + digit : 0x57 + digit
            }
            return 16
        }
    }
}
