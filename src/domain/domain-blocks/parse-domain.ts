import { ValidationError } from '../../lib/errors.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import type { Config } from '../../platform/config/config.ts'

/**
 * Returns the canonical spelling of a domain that a user typed.
 * @throws ValidationError if the input is not a domain
 */
export function parseDomain(typed: string): string {
  const domain = canonicalDomain(typed)
  if (domain !== null) return domain
  const blank = typed.trim() === ''
  throw new ValidationError([
    {
      attribute: 'domain',
      code: blank ? 'ERR_BLANK' : 'ERR_INVALID',
      text: blank ? "can't be blank" : 'is not a valid domain name',
    },
  ])
}

/** The same, of another server. @throws ValidationError also for the domains of this server */
export function parseRemoteDomain({ localDomain, webDomain }: Config, typed: string): string {
  const domain = parseDomain(typed)
  if ([localDomain, webDomain].some((own) => canonicalDomain(own) === domain)) {
    throw new ValidationError([{ attribute: 'domain', code: 'ERR_INVALID', text: 'is this server itself' }])
  }
  return domain
}
