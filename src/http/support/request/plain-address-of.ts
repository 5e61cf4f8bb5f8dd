import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * Returns the IP address of the client in the form in which it is stored: an IPv4 address never in the form of IPv6, so
 * that ranges contain it. Null if a proxy forwarded a value that is no IP address.
 */
export function plainAddressOf(request: FastifyRequest): string | null {
  // An address may have a zone id (`fe80::1%eth0`).
  const [address = ''] = request.ip.split('%')
  return isIP(address) === 0 ? null : ipaddr.process(address).toString()
}
