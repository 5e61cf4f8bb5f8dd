import type { Events } from '../../domain/events.ts'
import type { TwoFactorChange } from '../../domain/user-events.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import type { PasswordRemedy } from '../password-remedy.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

interface AboutAccount {
  locale: Locale
  site: string
  username: string
}

const KINDS = {
  totp_enabled: 'totp-enabled',
  totp_removed: 'totp-removed',
  passkey_added: 'passkey-added',
  passkey_removed: 'passkey-removed',
  disabled: 'disabled',
  recovery_codes_replaced: 'recovery-codes-replaced',
  recovery_code_used: 'recovery-code-used',
} as const satisfies Record<TwoFactorChange, string>

/** Informs a user of a change of their second factors. `remedy`: what users do at `url` if another person acted. */
export function twoFactorChangedMail(
  input: AboutAccount & { remedy: 'new-password' | 'end-sessions'; url: string; change: TwoFactorChange },
): RenderedMail {
  const { locale, site, username, url, remedy, change } = input
  const kind = KINDS[change]
  const title = message(locale, `mail.two-factor.${kind}.title`)
  return layOut({
    locale,
    subject: `${title} (${site})`,
    site,
    title,
    paragraphs: [
      message(locale, `mail.two-factor.${kind}.text`, { account: `@${username}`, site }),
      message(locale, 'mail.two-factor.you'),
    ],
    action: { text: message(locale, 'mail.password-changed.action'), url },
    note: message(locale, remedy === 'new-password' ? 'mail.two-factor.note' : 'mail.two-factor.note-sessions'),
  })
}

/** Warns a user that the second factor of a log-in was wrong after the first one was right. */
export function secondFactorFailedMail(
  input: AboutAccount & PasswordRemedy & { firstFactor: Events['account.second_factor_failed']['firstFactor'] },
): RenderedMail {
  const { locale, site, username, remedy, url, firstFactor } = input
  const isPassword = firstFactor === 'password'
  const canReplace = remedy === 'new-password'
  const action = canReplace ? 'mail.password-changed.action' : 'mail.email-changed.action'
  const note = isPassword && !canReplace ? 'administrators' : firstFactor
  const title = message(locale, 'mail.second-factor-failed.title')
  return layOut({
    locale,
    subject: `${title} (${site})`,
    site,
    title,
    paragraphs: [
      message(locale, `mail.second-factor-failed.${firstFactor}`, { account: `@${username}`, site }),
      message(locale, 'mail.second-factor-failed.you'),
    ],
    ...(isPassword && { action: { text: message(locale, action), url } }),
    note: message(locale, `mail.second-factor-failed.note-${note}`),
  })
}
