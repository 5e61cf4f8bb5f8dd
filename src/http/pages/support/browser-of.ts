import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Browser } from '../../../domain/auth/sessions.ts'

/** Returns the IP address and the user agent of a request, which a session stores. */
export function browserOf(request: FastifyRequest): Browser {
  // A proxy may forward a value that is no IP address, or an address with a zone id (`fe80::1%eth0`).
  const [ip = ''] = request.ip.split('%')
  return { ip: isIP(ip) === 0 ? null : ip, userAgent: request.headers['user-agent'] ?? '' }
}
