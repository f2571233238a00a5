/// Modules that exist on Apple's platforms only.
enum AppleModules {
  /// Modules that are on both, as far as ported code is concerned.
  static let onLinux: Set<String> = [
    "Foundation", "CoreData", "Annals", "Dispatch", "Swift", "XCTest", "Testing", "Glibc", "FoundationNetworking",
    "FoundationXML", "FoundationEssentials", "Synchronization", "Observation", "RegexBuilder",
  ]

  static func isOne(_ name: String) -> Bool { names.contains(name) }

  private static let names: Set<String> = [
    "UIKit", "AppKit", "Cocoa", "SwiftUI", "Combine", "CloudKit", "ObjectiveC", "Darwin", "os", "OSLog", "CoreLocation",
    "MapKit", "CoreSpotlight", "WatchKit", "WidgetKit", "WatchConnectivity", "SwiftData", "CoreGraphics", "CoreImage",
    "QuartzCore", "Intents", "AppIntents", "UserNotifications", "StoreKit", "Contacts", "ContactsUI", "EventKit",
    "Photos", "PhotosUI", "AVFoundation", "HealthKit", "MessageUI", "SafariServices", "Security", "SystemConfiguration",
    "UniformTypeIdentifiers", "MobileCoreServices", "NotificationCenter", "Network", "CommonCrypto", "CryptoKit",
    "LocalAuthentication", "BackgroundTasks", "Social", "Accounts", "GameKit", "SpriteKit", "SceneKit", "Metal",
    "Accelerate", "CoreText", "CoreMotion", "CoreBluetooth", "ImageIO", "WebKit", "MetricKit", "CoreServices",
    "TipKit", "Charts", "QuickLook", "PencilKit", "Vision", "NaturalLanguage", "CoreML",
  ]
}
