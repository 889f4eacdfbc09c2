import CampaignModel
import JSON
package import Service
import Time

/// Renders the answers of `/healthz` and `/readyz`.
package enum HealthView {
    package static let contentType = "application/json"

    /// `isAlive`: whether the service makes progress.
    package static func renderLiveness(isAlive: Bool) -> String {
        liveness.text(of: isAlive)
    }

    /// Whether due sends can go out, and if not, why.
    package static func renderReadiness(_ health: ServiceHealth) -> String {
        readiness.text(of: health.standing)
    }

    private static let liveness = JSONShape<Bool>(
        "The answer of /healthz.",
        [.required("status", .text, about: "`ok` or `stuck`.") { $0 ? "ok" : "stuck" }]
    )

    private static let readiness = JSONShape<[ServiceHealth.Standing]>(
        "The answer of /readyz.",
        [
            .required("status", .text, about: "`ready` or `not ready`.") {
                $0.isEmpty ? "ready" : "not ready"
            },
            .required("problems", .list(of: .object(problem)), about: "The longest first.") { $0 },
        ]
    )

    private static let problem = JSONShape<ServiceHealth.Standing>(
        "Why the service is not ready.",
        [
            .required("problem", .openChoice, about: "Kind of the problem.") { $0.problem },
            .required("since", .moment, about: "When it began.") { $0.since },
            .required("message", .text, about: "What is wrong.") { ProblemWording($0).text },
        ]
    )
}

extension JSONShape {
    fileprivate func text(of value: Value) -> String {
        JSONValue.object(json(of: value)).compactText + "\n"
    }
}

/// Describes a problem of a service.
struct ProblemWording {
    let text: String

    init(_ standing: ServiceHealth.Standing) {
        text =
            standing.problem == .starting
            ? "the state was not read yet" : TextStyle.safe(standing.reason)
    }
}
