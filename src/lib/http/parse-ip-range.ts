import ipaddr from 'ipaddr.js'
import { parseIpNetwork } from './ip-network.ts'

/** The first and the last address of a range. */
export interface IpRange {
  first: string
  last: string
}

/**
 * Parses an IP address or a range in CIDR notation, such as `192.0.2.0/24`. An IPv4 address in the form of IPv6
 * (`::ffff:192.0.2.1`) becomes IPv4, as in `plainAddressOf`. Returns null for other texts.
 */
export function parseIpRange(text: string): IpRange | null {
  const network = parseIpNetwork(text)
  if (network === null) return null
  const family = network.kind === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return {
    first: family.networkAddressFromCIDR(network.text).toString(),
    last: family.broadcastAddressFromCIDR(network.text).toString(),
  }
}
