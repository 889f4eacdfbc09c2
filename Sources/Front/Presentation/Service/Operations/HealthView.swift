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
    ///
    /// `active`: the service that sends, if this one is its standby.
    package static func renderReadiness(
        _ health: ServiceHealth,
        active: StandbyMachine.Holder? = nil
    ) -> String {
        readiness.text(of: Readiness(problems: health.standing, active: active))
    }

    private struct Readiness {
        let problems: [ServiceHealth.Standing]
        let active: StandbyMachine.Holder?

        var status: String {
            if !problems.isEmpty { return "not ready" }
            return active == nil ? "ready" : "standby"
        }
    }

    private static let liveness = JSONShape<Bool>(
        "The answer of /healthz.",
        [.required("status", .text, about: "`ok` or `stuck`.") { $0 ? "ok" : "stuck" }]
    )

    private static let readiness = JSONShape<Readiness>(
        "The answer of /readyz.",
        [
            .required("status", .text, about: "`ready`, `standby` or `not ready`.") { $0.status },
            .required("problems", .list(of: .object(problem)), about: "The longest first.") {
                $0.problems
            },
            .optional(
                "active",
                .object(HolderJSON.shape),
                about: "The service that sends, if this one is its standby."
            ) { $0.active },
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
