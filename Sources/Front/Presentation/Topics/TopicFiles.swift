/// A Swift file for Apple platforms.
enum SwiftTopics {
    static func file(_ constants: String, project: String) -> String {
        """
        // The topics of \(project), written by `herald topics --format swift`.

        import FirebaseMessaging

        enum Topic: String, CaseIterable, Sendable {
        \(constants)}

        // FCM's client library is not thread-safe: call it on the main thread, and when there is a registration token.
        @MainActor
        extension Topic {
            func subscribe(completion: @escaping @MainActor @Sendable ((any Error)?) -> Void) {
                Messaging.messaging().subscribe(toTopic: rawValue) { error in
                    Task { @MainActor in completion(error) }
                }
            }

            func unsubscribe(completion: @escaping @MainActor @Sendable ((any Error)?) -> Void) {
                Messaging.messaging().unsubscribe(fromTopic: rawValue) { error in
                    Task { @MainActor in completion(error) }
                }
            }
        }

        """
    }
}

/// A header of Objective-C for Apple platforms.
enum ObjectiveCTopics {
    static func file(_ constants: String, project: String) -> String {
        """
        // The topics of \(project), written by `herald topics --format objc`.

        @import FirebaseMessaging;

        \(constants)
        // FCM's client library is not thread-safe: call it on the main thread, and when there is a registration token.
        static inline void HeraldSubscribe(NSString *topic, void (^completion)(NSError *_Nullable error)) {
            NSCAssert(NSThread.isMainThread, @"HeraldSubscribe must be called on the main thread");
            [[FIRMessaging messaging] subscribeToTopic:topic completion:completion];
        }

        static inline void HeraldUnsubscribe(NSString *topic, void (^completion)(NSError *_Nullable error)) {
            NSCAssert(NSThread.isMainThread, @"HeraldUnsubscribe must be called on the main thread");
            [[FIRMessaging messaging] unsubscribeFromTopic:topic completion:completion];
        }

        """
    }
}

/// A Kotlin file for Android.
enum KotlinTopics {
    static func file(_ constants: String, project: String) -> String {
        """
        // The topics of \(project), written by `herald topics --format kotlin`.

        import com.google.android.gms.tasks.Task
        import com.google.firebase.messaging.FirebaseMessaging

        object Topic {
        \(constants)
            fun subscribe(topic: String): Task<Void> = FirebaseMessaging.getInstance().subscribeToTopic(topic)

            fun unsubscribe(topic: String): Task<Void> = FirebaseMessaging.getInstance().unsubscribeFromTopic(topic)
        }

        """
    }
}

/// A JavaScript module.
///
/// Web apps cannot subscribe themselves: their server does, or a list of Herald.
enum JavaScriptTopics {
    static func file(_ constants: String, project: String) -> String {
        """
        // The topics of \(project), written by `herald topics --format js`.

        export const Topic = Object.freeze({
        \(constants)});

        """
    }
}
