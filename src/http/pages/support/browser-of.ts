import type { FastifyRequest } from 'fastify'
import type { Browser } from '../../../domain/auth/login-activities.ts'
import { plainAddressOf } from '../../support/request/plain-address-of.ts'

const MAX_USER_AGENT_CHARACTERS = 500

/** Returns the IP address and the user agent of a request, which sessions and log-ins store. */
export function browserOf(request: FastifyRequest): Browser {
  const userAgent = request.headers['user-agent'] ?? ''
  return { ip: plainAddressOf(request), userAgent: userAgent.slice(0, MAX_USER_AGENT_CHARACTERS).toWellFormed() }
}
