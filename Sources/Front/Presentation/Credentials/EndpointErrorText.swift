package import CampaignModel

/// Errors of the address of a server.
extension ErrorText {
    /// The process may open too few files for its requests.
    ///
    /// `limit`: the number of files that the process may open. `parallelism`: the largest number of
    /// requests for which that is enough.
    package static func fewOpenFiles(limit: Int, needed: Int, parallelism: Int) -> ErrorText {
        let lower = parallelism > 0 ? "; or give --parallelism \(parallelism)" : ""
        return ErrorText(
            "this process may open \(limit) files, but the requests need up to \(needed)",
            help: "nothing was sent; raise the limit with `ulimit -n \(needed)`\(lower)"
        )
    }

    package static func unknownAddress(of environment: EnvironmentID) -> ErrorText {
        ErrorText(
            "the address of \(environment) is unknown",
            help: "run `herald validate` to see why"
        )
    }
}
