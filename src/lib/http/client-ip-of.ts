import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { IpNetworkMap, parseIpNetwork } from './ip-network.ts'

type ClientRequest = Pick<IncomingMessage, 'headers' | 'socket'>

/**
 * Returns a function that returns the IP address of a request's client: the last address of `X-Forwarded-For` that is
 * not one of the trusted proxies (addresses or ranges). The headers of other peers are ignored. The address is in
 * canonical form, an IPv4 address never in the form of IPv6; '' if the connection is already closed, or a trusted proxy
 * forwards something that is no address. `onIgnored` receives the address of another peer that sent the header.
 */
export function createClientIpReader(
  trustedProxies: readonly string[],
  { onIgnored }: { onIgnored?: (peer: string) => void } = {},
): (request: ClientRequest) => string {
  const trusted = new IpNetworkMap<true>()
  for (const range of trustedProxies) {
    const network = parseIpNetwork(range)
    if (network) trusted.set(network, true)
  }
  return ({ headers, socket }) => {
    let ip = canonicalAddressOf(socket.remoteAddress ?? '') ?? ''
    const header = headers['x-forwarded-for']
    if (header === undefined) return ip
    const forwarded = [header].flat().join(',')
    if (forwarded === '') return ip
    if (onIgnored && trusted.find(ip).length === 0) onIgnored(ip)
    for (const hop of forwarded.split(',').toReversed()) {
      if (trusted.find(ip).length === 0) break
      const address = canonicalAddressOf(hop)
      // Not the text, which would become a key of a throttle, and not the proxy's address, which would be stored.
      if (address === null) return ''
      ip = address
    }
    return ip
  }
}

/** Parses an address, also with a zone (`fe80::1%eth0`) or with a port, which some proxies append. */
function canonicalAddressOf(text: string): string | null {
  const trimmed = text.trim()
  // The usual case, which sockets for both families write as IPv6. `isIPv4` accepts canonical addresses only.
  const ipv4 = trimmed.startsWith('::ffff:') ? trimmed.slice(7) : trimmed
  if (isIPv4(ipv4)) return ipv4
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]+):\d+)$/.exec(trimmed) ?? []
  const [address = ''] = (bracketed ?? withPort ?? trimmed).split('%')
  return isIP(address) === 0 ? null : ipaddr.process(address).toString()
}
