import type { FieldError } from '../../lib/errors.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import type { Ctx } from '../context.ts'

export const UNREACHABLE_EMAIL: FieldError = {
  attribute: 'email',
  code: 'ERR_UNREACHABLE',
  text: 'does not seem to exist',
}

/**
 * Returns whether DNS says that the domain of an e-mail address receives no mail (Mastodon: EmailMxValidator). A failed
 * lookup is no such statement. Domains are not checked on a server that sends no mails, or whose list of allowed
 * domains contains them: a mail server of its own may know more than DNS.
 */
export async function isEmailUnreachable(
  { config, smtp, findMailHosts }: Pick<Ctx, 'config' | 'smtp' | 'findMailHosts'>,
  { email }: { email: string },
): Promise<boolean> {
  if (smtp === null || config.emailDomains.allowed.length > 0) return false
  const domain = canonicalDomain(email.slice(email.lastIndexOf('@') + 1))
  return domain !== null && (await findMailHosts(domain)) === 'no mail'
}
