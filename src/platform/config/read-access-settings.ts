import { canonicalDomain } from '../../lib/usernames.ts'
import type { EnvironmentReader } from './environment-reader.ts'

/** Which clients and servers this server serves. */
export interface AccessConfig {
  /** Requests to the API need the token of a user, and pages with posts or profiles a session. */
  readonly disallowUnauthenticatedAccess: boolean
  /** Only domains that the staff allow may federate with this server. Implies the other two settings. */
  readonly limitedFederation: boolean
  /** Every request for an ActivityPub document needs a valid signature, except for the instance actor. */
  readonly authorizedFetch: boolean
}

/** The domains of e-mail addresses that users may have. A domain includes its subdomains. */
export interface EmailDomainLists {
  /** Empty: all domains. */
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
  /** Whether the lists also apply to new addresses of users who have confirmed one. */
  readonly applyAfterConfirmation: boolean
}

/** Reads the settings of closed servers, and Mastodon's earlier name of `LIMITED_FEDERATION_MODE`. */
export function readAccessSettings(reader: EnvironmentReader): AccessConfig {
  const formerName = reader.flag('WHITELIST_MODE')
  const limitedFederation = reader.flag('LIMITED_FEDERATION_MODE') ?? formerName ?? false
  const disallowsAnonymous = reader.flag('DISALLOW_UNAUTHENTICATED_API_ACCESS') ?? false
  const requiresSignatures = reader.flag('AUTHORIZED_FETCH') ?? false
  return {
    disallowUnauthenticatedAccess: disallowsAnonymous || limitedFederation,
    limitedFederation,
    authorizedFetch: requiresSignatures || limitedFederation,
  }
}

/** Reads the lists of e-mail domains, also by Mastodon's earlier names. */
export function readEmailDomainLists(reader: EnvironmentReader): EmailDomainLists {
  return {
    allowed: readDomains(reader, [
      ['EMAIL_DOMAIN_ALLOWLIST', reader.text('EMAIL_DOMAIN_ALLOWLIST')],
      ['EMAIL_DOMAIN_WHITELIST', reader.text('EMAIL_DOMAIN_WHITELIST')],
    ]),
    denied: readDomains(reader, [
      ['EMAIL_DOMAIN_DENYLIST', reader.text('EMAIL_DOMAIN_DENYLIST')],
      ['EMAIL_DOMAIN_BLACKLIST', reader.text('EMAIL_DOMAIN_BLACKLIST')],
    ]),
    applyAfterConfirmation: reader.flag('EMAIL_DOMAIN_LISTS_APPLY_AFTER_CONFIRMATION') ?? false,
  }
}

/** Returns the canonical domains of the first setting that is set, a list separated by `|`. */
function readDomains(reader: EnvironmentReader, settings: readonly (readonly [string, string | null])[]): string[] {
  const [name, list] = settings.find(([, value]) => value !== null) ?? ['', null]
  const items = list?.split('|').map((item) => item.trim()) ?? []
  return items.filter(Boolean).flatMap((item) => {
    const domain = canonicalDomain(item)
    if (domain === null) reader.reportProblem(name, `must be a list of domains separated by "|"; "${item}" is none`)
    return domain ?? []
  })
}
