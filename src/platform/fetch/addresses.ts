import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Global unicast, from which the special parts are taken away. Nothing outside of it is anybody's public address. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Tells which addresses may be connected to: public ones, and those in `allowed` (addresses or CIDR ranges).
 * Addresses that carry an IPv4 address inside (mapped) are judged by that one.
 */
export function createAddressGuard(allowed: readonly string[]): (address: string) => boolean {
  const ranges = allowed.map(parseRange)
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = unmap(ipaddr.parse(text))
    return isPublic(address) || ranges.some((range) => isWithin(address, range))
  }
}

/** Whether an address lies in one of the ranges. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  return ranges.some((range) => isWithin(unmap(ipaddr.parse(address)), parseRange(range)))
}

/** One spelling for each address. */
export function canonicalAddress(text: string): string {
  return unmap(ipaddr.parse(text)).toString()
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return false
  return address.range() === 'unicast'
}

/** `::ffff:127.0.0.1` is 127.0.0.1: the system connects to the same host. */
function unmap(address: Address): Address {
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
