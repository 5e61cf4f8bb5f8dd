import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

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
  const [address = '', prefix, ...rest] = text.trim().split('/')
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return null
  if (prefix === undefined) {
    const only = ipaddr.process(address).toString()
    return { first: only, last: only }
  }
  if (!/^\d{1,3}$/.test(prefix)) return null
  const parsed = ipaddr.parse(address)
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && Number(prefix) >= 96
  const cidr = isMapped ? `${ipaddr.process(address).toString()}/${Number(prefix) - 96}` : `${address}/${prefix}`
  if (!ipaddr.isValidCIDR(cidr)) return null
  const family = isMapped || parsed instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  return {
    first: family.networkAddressFromCIDR(cidr).toString(),
    last: family.broadcastAddressFromCIDR(cidr).toString(),
  }
}
