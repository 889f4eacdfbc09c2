/// Devices of a list; the same name means the same devices.
package struct DeviceList: Hashable, Sendable {
    package let name: String
    package let count: Int
    /// The number of devices of the list before them.
    package let first: Int

    package init(name: String, count: Int, first: Int = 0) {
        self.name = name
        self.count = count
        self.first = first
    }
}

/// The order in which lists take devices.
///
/// A walk with a step that is coprime to the size visits every device once, so exactly N devices have
/// a position in a range of N.
struct DeviceOrder: Sendable {
    private let offset: Int
    private let step: Int
    private let size: Int

    init(of list: String, among size: Int, draw: SeededRandom) {
        let own = draw.about("list " + list)
        offset = own.number(of: 0, below: size)
        step = Self.step(near: own.number(of: 1, below: size), coprimeTo: size)
        self.size = size
    }

    func position(of device: Int) -> Int { (device * step + offset) % size }

    private static func step(near first: Int, coprimeTo size: Int) -> Int {
        var step = max(1, first)
        while greatestCommonDivisor(step, size) > 1 { step += 1 }
        return step
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        var (left, right) = (left, right)
        while right > 0 { (left, right) = (right, left % right) }
        return left
    }
}

/// Decides whether a device belongs to a part of a list.
struct ListPlace: Sendable {
    private let order: DeviceOrder
    private let positions: Range<Int>

    init(_ list: DeviceList, among size: Int, draw: SeededRandom) {
        order = DeviceOrder(of: list.name, among: size, draw: draw)
        positions = list.first..<list.first + list.count
    }

    func contains(_ device: Int) -> Bool { positions.contains(order.position(of: device)) }

    /// The device's position in this part; from 0.
    func position(of device: Int) -> Int { order.position(of: device) - positions.lowerBound }
}
