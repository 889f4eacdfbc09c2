/// What a command reports about its selection.
package enum SelectionWording {
    package static func leftOut(_ campaigns: Int, by options: [String]) -> String {
        let names = options.joined(separator: " and ")
        return "\(campaigns.counting("campaign")) left out by \(names).\n"
    }
}
