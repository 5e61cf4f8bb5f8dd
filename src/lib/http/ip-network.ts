import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Kind = 'ipv4' | 'ipv6'

/** A range of IP addresses (CIDR). */
export interface IpNetwork {
  readonly kind: Kind
  /** The number of leading bits that all its addresses share. */
  readonly bits: number
  /** These bits. */
  readonly prefix: bigint
  /** The canonical form: `192.0.2.0/24`. */
  readonly text: string
}

const BITS = { ipv4: 32, ipv6: 128 } as const

/** The length of the prefix of IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`). */
const MAPPED_BITS = 96

/**
 * Parses an address or a range in CIDR notation; null if it is neither. Bits of the host are cleared, and IPv4-mapped
 * IPv6 addresses become IPv4 addresses.
 */
export function parseIpNetwork(text: string): IpNetwork | null {
  const [address = '', length, ...rest] = text.trim().split('/')
  // `isIP` also accepts zones (`fe80::1%eth0`), which exist only on one machine.
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return null
  const written = ipaddr.parse(address)
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null
  const writtenBits = length === undefined ? BITS[written.kind()] : Number(length)
  if (writtenBits > BITS[written.kind()]) return null
  const isMapped = written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress() && writtenBits >= MAPPED_BITS
  const ip = isMapped ? written.toIPv4Address() : written
  const bits = isMapped ? writtenBits - MAPPED_BITS : writtenBits
  const cidr = `${ip.toString()}/${bits}`
  const base =
    ip.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return {
    kind: ip.kind(),
    bits,
    prefix: prefixOf(numberOf(base), base.kind(), bits),
    text: `${base.toString()}/${bits}`,
  }
}

/** Returns whether a network contains an address. */
export function networkContains(network: IpNetwork, address: string): boolean {
  const ip = parseAddress(address)
  return ip !== null && ip.kind === network.kind && prefixOf(ip.number, ip.kind, network.bits) === network.prefix
}

/**
 * Maps networks to values. Finding those that contain an address takes one lookup for each length of prefixes, however
 * many networks there are.
 */
export class IpNetworkMap<Value> {
  readonly #values = { ipv4: new Map<number, Map<bigint, Value>>(), ipv6: new Map<number, Map<bigint, Value>>() }

  set({ kind, bits, prefix }: IpNetwork, value: Value): void {
    let byPrefix = this.#values[kind].get(bits)
    if (!byPrefix) this.#values[kind].set(bits, (byPrefix = new Map()))
    byPrefix.set(prefix, value)
  }

  get isEmpty(): boolean {
    return this.#values.ipv4.size === 0 && this.#values.ipv6.size === 0
  }

  /** Returns the values of all networks that contain an address. */
  find(address: string): Value[] {
    const ip = this.isEmpty ? null : parseAddress(address)
    if (ip === null) return []
    const found: Value[] = []
    for (const [bits, byPrefix] of this.#values[ip.kind]) {
      const value = byPrefix.get(prefixOf(ip.number, ip.kind, bits))
      if (value !== undefined) found.push(value)
    }
    return found
  }
}

function parseAddress(text: string): { kind: Kind; number: bigint } | null {
  const version = isIP(text)
  if (version === 0) return null
  if (version === 4) return { kind: 'ipv4', number: BigInt(numberOfIpv4(text)) }
  const ip = ipaddr.process(text)
  return { kind: ip.kind(), number: numberOf(ip) }
}

function numberOfIpv4(text: string): number {
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}

function numberOf(ip: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  return BigInt(`0x${Buffer.from(ip.toByteArray()).toString('hex')}`)
}

function prefixOf(number: bigint, kind: Kind, bits: number): bigint {
  return number >> BigInt(BITS[kind] - bits)
}
