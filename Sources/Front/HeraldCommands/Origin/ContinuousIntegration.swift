/// The CI job that runs the process, according to documented environment variables.
///
/// Sources are the documentation of GitHub Actions ("Variables reference"), GitLab ("Predefined
/// CI/CD variables reference"), Jenkins ("Using environment variables"), CircleCI ("Project values
/// and variables"), Buildkite ("Environment variables"), Azure Pipelines ("Use predefined
/// variables") and Bitbucket Pipelines ("Variables and secrets").
struct ContinuousIntegration {
    /// The run's URL, if there is one, otherwise its identifier.
    let run: String?
    /// The user that started the run.
    let actor: String?
    let commit: String?

    /// Nil if no known CI system is running.
    init?(_ variables: [String: String]) {
        let read = Reading(variables)
        guard let system = System.allCases.first(where: { read[$0.mark] != nil }) else {
            return nil
        }
        run = system.run(read)?.bounded
        actor = system.actor(read)?.bounded
        commit = read[system.commit].flatMap(GitWorkTree.commit)
    }

    private struct Reading {
        private let variables: [String: String]

        init(_ variables: [String: String]) {
            self.variables = variables
        }

        /// Treats an empty variable as unset.
        subscript(name: String) -> String? {
            variables[name].flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    private enum System: CaseIterable {
        case github
        case gitlab
        case circle
        case buildkite
        case azure
        case bitbucket
        /// Last, because other systems run it or set the same variables.
        case jenkins

        /// The variable that only this system sets.
        var mark: String {
            switch self {
            case .github: "GITHUB_ACTIONS"
            case .gitlab: "GITLAB_CI"
            case .circle: "CIRCLECI"
            case .buildkite: "BUILDKITE"
            case .azure: "TF_BUILD"
            case .bitbucket: "BITBUCKET_BUILD_NUMBER"
            case .jenkins: "JENKINS_URL"
            }
        }

        var commit: String {
            switch self {
            case .github: "GITHUB_SHA"
            case .gitlab: "CI_COMMIT_SHA"
            case .circle: "CIRCLE_SHA1"
            case .buildkite: "BUILDKITE_COMMIT"
            case .azure: "BUILD_SOURCEVERSION"
            case .bitbucket: "BITBUCKET_COMMIT"
            case .jenkins: "GIT_COMMIT"
            }
        }

        func actor(_ read: Reading) -> String? {
            switch self {
            // The user that ran the job again, if it is not the original one.
            case .github: read["GITHUB_TRIGGERING_ACTOR"] ?? read["GITHUB_ACTOR"]
            case .gitlab: read["GITLAB_USER_LOGIN"]
            case .circle: read["CIRCLE_USERNAME"]
            case .buildkite: read["BUILDKITE_BUILD_CREATOR"]
            case .azure: read["BUILD_REQUESTEDFOR"]
            case .bitbucket: read["BITBUCKET_STEP_TRIGGERER_UUID"]
            // From the "build user vars" plugin. Jenkins itself has no such variable.
            case .jenkins: read["BUILD_USER_ID"]
            }
        }

        func run(_ read: Reading) -> String? {
            switch self {
            case .github: Self.github(read)
            case .gitlab: read["CI_JOB_URL"] ?? read["CI_PIPELINE_ID"].map { "GitLab \($0)" }
            case .circle:
                read["CIRCLE_BUILD_URL"] ?? read["CIRCLE_BUILD_NUM"].map { "CircleCI \($0)" }
            case .buildkite:
                read["BUILDKITE_BUILD_URL"]
                    ?? read["BUILDKITE_BUILD_NUMBER"].map { "Buildkite \($0)" }
            case .azure: Self.azure(read)
            case .bitbucket: Self.bitbucket(read)
            case .jenkins: read["BUILD_URL"] ?? read["BUILD_TAG"]
            }
        }

        private static func github(_ read: Reading) -> String? {
            guard let id = read["GITHUB_RUN_ID"] else { return nil }
            let attempt = read["GITHUB_RUN_ATTEMPT"] ?? "1"
            guard let server = read["GITHUB_SERVER_URL"], let place = read["GITHUB_REPOSITORY"]
            else { return "GitHub Actions \(id)/\(attempt)" }
            return "\(server)/\(place)/actions/runs/\(id)/attempts/\(attempt)"
        }

        private static func azure(_ read: Reading) -> String? {
            guard let id = read["BUILD_BUILDID"] else { return nil }
            guard let server = read["SYSTEM_COLLECTIONURI"], let place = read["SYSTEM_TEAMPROJECT"]
            else { return "Azure Pipelines \(id)" }
            // A project's name may contain spaces.
            let name = place.split(separator: " ", omittingEmptySubsequences: false)
                .joined(separator: "%20")
            return "\(server)\(name)/_build/results?buildId=\(id)"
        }

        private static func bitbucket(_ read: Reading) -> String? {
            guard let number = read["BITBUCKET_BUILD_NUMBER"] else { return nil }
            guard let origin = read["BITBUCKET_GIT_HTTP_ORIGIN"] else {
                return "Bitbucket Pipelines \(number)"
            }
            return "\(origin)/pipelines/results/\(number)"
        }
    }
}
