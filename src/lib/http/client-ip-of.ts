import type { IncomingMessage } from 'node:http'
import { IpNetworkMap, parseIpNetwork } from './ip-network.ts'

type RequestOfClient = Pick<IncomingMessage, 'headers' | 'socket'>

/**
 * Returns a function that returns the IP address of a request's client, for requests that do not pass through the web
 * framework. It is the last address of `X-Forwarded-For` that is not one of the trusted proxies (addresses or ranges).
 */
export function createClientIpReader(trustedProxies: readonly string[]): (request: RequestOfClient) => string {
  const trusted = new IpNetworkMap<true>()
  for (const range of trustedProxies) {
    const network = parseIpNetwork(range)
    if (network) trusted.set(network, true)
  }
  return ({ headers, socket }) => {
    let ip = socket.remoteAddress ?? ''
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
    for (const hop of forwarded.split(',').toReversed()) {
      if (hop.trim() === '' || trusted.find(ip).length === 0) break
      ip = hop.trim()
    }
    return ip
  }
}
