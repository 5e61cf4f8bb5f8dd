import type { Ctx } from '../domain/context.ts'

/** What users do about a password that another person knows or has set, and the URL of the page for it. */
export interface PasswordRemedy {
  remedy: 'new-password' | 'administrators'
  url: string
}

/** Returns what users can do: with log-ins by providers only, they cannot set passwords, but the administrators can. */
export function passwordRemedyOf({ config: { singleSignOn, origin } }: Pick<Ctx, 'config'>): PasswordRemedy {
  return singleSignOn.only
    ? { remedy: 'administrators', url: `${origin}/about` }
    : { remedy: 'new-password', url: `${origin}/auth/password/new` }
}
