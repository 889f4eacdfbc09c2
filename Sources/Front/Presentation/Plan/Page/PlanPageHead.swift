import CampaignModel
import HTML

/// Renders the head of the page: destination, project, environment, summary and digest.
struct PlanPageHead {
    let story: PlanDescription

    var node: HTMLNode {
        HTMLNode(.header) {
            target
            HTMLNode(.h1) {
                "Plan for "
                HTMLNode(.bdi, text: story.head.environment)
                HTMLNode(.small) {
                    " of "
                    HTMLNode(.bdi, text: story.head.project)
                }
            }
            if let remark = story.stateRemark {
                HTMLNode(.p, .class("lead")) { HTMLNode(.strong, text: remark) }
            }
            if let refusal = story.refusal {
                HTMLNode(.p, .class("lead")) { HTMLNode(.strong) { HTMLNode.advice(refusal) } }
            }
            HTMLNode(.p, .class("lead"), text: story.summary)
            if let remark = story.schedulingRemark { HTMLNode(.p) { HTMLNode.advice(remark) } }
            facts
            contents
        }
    }

    private var destination: DestinationWording { story.head.destination }

    /// The destination, which decides whether real devices get the messages.
    private var target: HTMLNode {
        HTMLNode(.p, .class("destination", destination.remark == nil ? "real" : "emulated")) {
            "Destination: "
            HTMLNode(.strong) { HTMLNode(.bdi, text: destination.environment) }
            ", project ID "
            HTMLNode(.code, text: destination.projectID)
            ", "
            HTMLNode(.code, text: destination.endpoint)
            ", "
            HTMLNode(.strong, text: destination.protection)
            if let remark = destination.remark { ". \(remark)" }
        }
    }

    private var facts: HTMLNode {
        HTMLNode(.dl, .class("facts")) {
            if let digest = story.digest {
                HTMLNode(.dt, text: "Digest")
                HTMLNode(.dd) { HTMLNode(.code, .class("digest"), text: digest) }
                if let command = story.command {
                    HTMLNode(.dt, text: "Apply with")
                    HTMLNode(.dd) {
                        HTMLNode(.code, .id("command"), text: command)
                        " "
                        HTMLNode(
                            .button,
                            .id("copy"),
                            .pushed,
                            .withoutScriptHidden,
                            text: "Copy"
                        )
                        HTMLNode(.span, .id("copied"), .status, text: "")
                    }
                }
            }
            HTMLNode(.dt, text: "As of")
            HTMLNode(.dd) { PlanPageMoment(moment: story.head.now).absolute }
        }
    }

    /// The table of contents of a plan with several groups.
    private var contents: HTMLNode? {
        guard story.groups.count > 1 else { return nil }
        return HTMLNode(.nav, .label("Parts of the plan")) {
            HTMLNode(.ul, .class("contents")) {
                story.groups.map { group in
                    HTMLNode(.li) {
                        HTMLNode(
                            .a,
                            .link(toPart: group.kind.part),
                            text: group.kind.title(in: story.mood)
                        )
                        " "
                        HTMLNode(.span, .class("count"), text: group.count)
                    }
                }
            }
        }
    }
}

/// Renders guard outcomes, refusals first.
struct PlanPageGuards {
    let guards: [GuardDescription]

    var node: HTMLNode? {
        guard !guards.isEmpty else { return nil }
        return HTMLNode(.section, .labelled(by: "guards")) {
            HTMLNode(.h2, .id("guards"), text: "Guards")
            HTMLNode(.ul, .class("guards")) { guards.map(item) }
        }
    }

    private func item(_ story: GuardDescription) -> HTMLNode {
        HTMLNode(.li, .class("guard-" + story.outcome.rawValue)) {
            HTMLNode(.strong, .class("outcome"), text: story.outcome.title)
            " "
            HTMLNode(.code, text: story.name)
            if let subject = story.subject {
                " "
                HTMLNode(.bdi, text: subject)
            }
            ": "
            if story.quotes { story.wording } else { HTMLNode.advice(story.wording) }
        }
    }
}

extension GuardDescription {
    /// Whether the text contains a reason from the files.
    var quotes: Bool { outcome == .acknowledged }
}

extension GuardDescription.Outcome {
    var title: String {
        switch self {
        case .acknowledged: "Acknowledged"
        case .refused: "Refused"
        case .bypassed: "Bypassed"
        }
    }
}
