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

/** Sends a user who has forgotten their password the link to set a new one. */
export function passwordForgottenMail(input: AboutAccount & { url: string; hours: number }): RenderedMail {
  const { locale, site, username, url, hours } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.password-forgotten.subject', { site }),
    site,
    title: message(locale, 'mail.password-forgotten.title'),
    paragraphs: [message(locale, 'mail.password-forgotten.text', { account: `@${username}`, site })],
    action: { text: message(locale, 'mail.password-forgotten.action'), url },
    note: message(locale, 'mail.password-forgotten.note', { hours }),
  })
}

/** Informs a user that their password was changed. */
export function passwordChangedMail(input: AboutAccount & PasswordRemedy): RenderedMail {
  const { locale, site, username, remedy, url } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.password-changed.subject', { site }),
    site,
    title: message(locale, 'mail.password-changed.title'),
    paragraphs: [
      message(locale, 'mail.password-changed.text', { account: `@${username}`, site }),
      message(locale, 'mail.password-changed.you'),
    ],
    ...(remedy === 'new-password'
      ? {
          action: { text: message(locale, 'mail.password-changed.action'), url },
          note: message(locale, 'mail.password-changed.note'),
        }
      : {
          action: { text: message(locale, 'mail.email-changed.action'), url },
          note: message(locale, 'mail.password-changed.note-administrators'),
        }),
  })
}

/** Informs a user, at their current address, that another one is about to replace it. */
export function emailChangeMail(input: AboutAccount & { newEmail: string; url: string; days: number }): RenderedMail {
  const { locale, site, username, newEmail, url, days } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.email-change.subject', { site }),
    site,
    title: message(locale, 'mail.email-change.title'),
    paragraphs: [message(locale, 'mail.email-change.text', { account: `@${username}`, site, days })],
    quote: newEmail,
    action: { text: message(locale, 'mail.email-change.action'), url },
    note: message(locale, 'mail.email-change.note'),
  })
}

/** Informs a user, at their former address, that another one has replaced it. `url`: of the server's page about itself. */
export function emailChangedMail(input: AboutAccount & { newEmail: string; url: string }): RenderedMail {
  const { locale, site, username, newEmail, url } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.email-changed.subject', { site }),
    site,
    title: message(locale, 'mail.email-changed.title'),
    paragraphs: [message(locale, 'mail.email-changed.text', { account: `@${username}`, site })],
    quote: newEmail,
    action: { text: message(locale, 'mail.email-changed.action'), url },
    note: message(locale, 'mail.email-changed.note'),
  })
}
