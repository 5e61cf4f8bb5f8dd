import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Asks to confirm an e-mail address by a link. `change`: the user has an account already and changes its address. */
export function confirmationMail(input: {
  locale: Locale
  site: string
  username: string
  url: string
  days: number
  change: boolean
  /** false: the moderators review the account afterwards. */
  approved: boolean
}): RenderedMail {
  const { locale, site, username, url, days, change, approved } = input
  const text = change ? 'text-change' : approved ? 'text' : 'text-approval'
  return layOut({
    locale,
    subject: message(locale, 'mail.confirmation.subject', { site }),
    site,
    title: message(locale, change ? 'mail.confirmation.title-change' : 'mail.confirmation.title'),
    paragraphs: [message(locale, `mail.confirmation.${text}`, { account: `@${username}`, site })],
    action: { text: message(locale, 'mail.confirmation.action'), url },
    note: message(locale, change ? 'mail.confirmation.note-change' : 'mail.confirmation.note', { days }),
  })
}

/** Informs the staff that an account is waiting for approval. */
export function pendingMail(input: {
  locale: Locale
  site: string
  username: string
  email: string
  reason: string | null
  url: string
}): RenderedMail {
  const { locale, site, username, email, reason, url } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.pending.subject', { account: `@${username}`, site }),
    site,
    title: message(locale, 'mail.pending.title'),
    paragraphs: [
      message(locale, 'mail.pending.text', { account: `@${username}`, email, site }),
      message(locale, reason ? 'mail.pending.reason' : 'mail.pending.no-reason'),
    ],
    quote: reason,
    action: { text: message(locale, 'mail.go', { site }), url },
    note: message(locale, 'mail.pending.note', { site, command: `bin/linnet accounts approve ${username}` }),
  })
}

/** Informs the owner of an e-mail address that it was used in an attempt to create another account. */
export function addressInUseMail(input: { locale: Locale; site: string; username: string; url: string }): RenderedMail {
  const { locale, site, username, url } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.address-in-use.subject', { site }),
    site,
    title: message(locale, 'mail.address-in-use.title'),
    paragraphs: [
      message(locale, 'mail.address-in-use.text', { site, account: `@${username}` }),
      message(locale, 'mail.address-in-use.you'),
    ],
    action: { text: message(locale, 'mail.address-in-use.action'), url },
    note: message(locale, 'mail.address-in-use.note'),
  })
}

/** Welcomes a new user. `handle`: with the domain; `server`: the domain that users enter in an app. */
export function welcomeMail(input: {
  locale: Locale
  site: string
  server: string
  username: string
  handle: string
  url: string
}): RenderedMail {
  const { locale, site, server, username, handle, url } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.welcome.subject', { site }),
    site,
    title: message(locale, 'mail.welcome.title', { account: `@${username}` }),
    paragraphs: [
      message(locale, 'mail.welcome.text', { site, handle }),
      message(locale, 'mail.welcome.apps', { site: server }),
    ],
    action: { text: message(locale, 'mail.welcome.action'), url },
    note: message(locale, 'mail.welcome.note', { site }),
  })
}

/** Informs the administrators that registrations need approval, because no moderator was active for some days. */
export function registrationsClosedMail(input: {
  locale: Locale
  site: string
  days: number
  url: string
}): RenderedMail {
  const { locale, site, days, url } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.auto-close.subject', { site }),
    site,
    title: message(locale, 'mail.auto-close.title'),
    paragraphs: [message(locale, 'mail.auto-close.text', { site, days }), message(locale, 'mail.auto-close.undo')],
    action: { text: message(locale, 'mail.go', { site }), url },
    note: message(locale, 'mail.auto-close.note', { site, command: 'bin/linnet settings registrations open' }),
  })
}
