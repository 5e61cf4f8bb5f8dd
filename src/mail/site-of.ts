import type { Ctx } from '../domain/context.ts'
import { displayDomain } from '../lib/usernames.ts'

/** Returns the name of the server in mails: its domain as pages show it. URLs and headers have the canonical form. */
export function siteOf({ config }: Pick<Ctx, 'config'>): string {
  return displayDomain(config.localDomain)
}
