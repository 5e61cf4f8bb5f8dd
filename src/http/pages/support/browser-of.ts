import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Browser } from '../../../domain/auth/sessions.ts'

/** Where a request comes from, as a session remembers it. */
export function browserOf(request: FastifyRequest): Browser {
  // A proxy may pass on what is no address, or one with the name of its own interface.
  const [ip = ''] = request.ip.split('%')
  return { ip: isIP(ip) === 0 ? null : ip, userAgent: request.headers['user-agent'] ?? '' }
}
