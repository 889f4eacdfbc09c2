extension DispatchMachine {
    /// What a judgement that was received adds to the sending's progress.
    func progress(of request: Int, _ judgement: Judgement) -> ApplyEvent {
        let isRepeated = repeats[request] != nil
        return switch judgement {
        case .accepted: .progressed(by: 1)
        case .rejected: .progressed(by: 1, .refused)
        case .slowed where !isRepeated: .progressed(by: 1, .refused)
        case .failed where !isRepeated, .unknown where !isRepeated: .progressed(by: 1, .unknown)
        default: .progressed(by: 0)
        }
    }
}
