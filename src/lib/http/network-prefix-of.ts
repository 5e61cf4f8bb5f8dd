import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns the key by which throttles count an IP address: for IPv6 its /64, because a customer has a complete /64. */
export function networkPrefixOf(ip: string): string {
  if (isIPv4(ip) || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return (address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
