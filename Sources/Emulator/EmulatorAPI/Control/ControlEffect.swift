import DeliveryModel

/// The effect of a control request.
enum ControlEffect: Sendable {
    case seed([DeviceSpecification])
    case change(String, DeviceChange)
    case remove(String)
    case register(String, DeviceRegistration)
    case unregister(String)
    case call(String, ClientCall)
    case setClock(EmulatorClock.Setting)
    case restore([DeviceSnapshot], [FanOutSnapshot])
    case tap(MessageID, on: String)
    case setDelivery(DeliveryOptions)
    case reset
    case setFaults(FaultScript)
    case project(ProjectChange)
    case upstream(UpstreamEffect)
}

extension DeliveryBackend {
    mutating func perform(_ effect: ControlEffect, at now: DeliveryMoment) {
        switch effect {
        case .seed(let specifications):
            // The decision has already refused devices that cannot be seeded.
            try? seed(specifications, at: now)
        case .change(let name, let change): _ = setCondition(of: name, to: change, at: now)
        case .remove(let name): _ = remove(name)
        case .register(let name, let registration): _ = register(name, as: registration, at: now)
        case .unregister(let name): unregister(name, at: now)
        case .call(let name, let call): _ = make(call, on: name, at: now)
        case .restore(let devices, let fanOuts): restore(devices, fanOuts: fanOuts, at: now)
        case .tap(let id, let name): _ = tap(id, on: name, at: now)
        case .setDelivery(let options): set(options, at: now)
        case .reset: reset(at: now)
        case .upstream(let effect): perform(effect, at: now)
        case .setClock, .setFaults, .project: break
        }
    }
}
