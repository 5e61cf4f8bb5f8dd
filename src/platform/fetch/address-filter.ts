import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Global unicast. All public IPv6 addresses are in it, but it also has special ranges. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Returns a function that returns whether an address may be connected to: public addresses, and those in `allowed`
 * (addresses or CIDR ranges). An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function createAddressFilter(allowed: readonly string[]): (address: string) => boolean {
  const ranges = allowed.map(parseRange)
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = toIPv4IfMapped(ipaddr.parse(text))
    return isPublic(address) || ranges.some((range) => isWithin(address, range))
  }
}

/** Returns whether an address is in one of the ranges. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  return ranges.some((range) => isWithin(toIPv4IfMapped(ipaddr.parse(address)), parseRange(range)))
}

/** Returns the canonical form of an address. */
export function canonicalAddress(text: string): string {
  return toIPv4IfMapped(ipaddr.parse(text)).toString()
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return false
  return address.range() === 'unicast'
}

/** Converts `::ffff:127.0.0.1` to 127.0.0.1, because the system connects to the same host. */
function toIPv4IfMapped(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function isWithin(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
