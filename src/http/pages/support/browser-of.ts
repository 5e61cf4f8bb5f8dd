import type { FastifyRequest } from 'fastify'
import type { Browser } from '../../../domain/auth/sessions.ts'
import { plainAddressOf } from '../../support/request/plain-address-of.ts'

/** Returns the IP address and the user agent of a request, which a session stores. */
export function browserOf(request: FastifyRequest): Browser {
  return { ip: plainAddressOf(request), userAgent: request.headers['user-agent'] ?? '' }
}
