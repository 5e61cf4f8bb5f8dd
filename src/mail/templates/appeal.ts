import type { WarningAction } from '../../domain/moderation/accounts/warn-account.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Informs the staff of an appeal against a strike. */
export function appealMail(input: {
  locale: Locale
  site: string
  username: string
  action: WarningAction
  text: string
  url: string
}): RenderedMail {
  const { locale, site, username, action, text, url } = input
  const account = `@${username}`
  return layOut({
    locale,
    subject: message(locale, 'mail.appeal.subject', { account, site }),
    site,
    title: message(locale, 'mail.appeal.title'),
    paragraphs: [
      message(locale, 'mail.appeal.text', { account, site }),
      message(locale, `mail.appeal.decision.${action}`),
      message(locale, 'mail.appeal.message'),
    ],
    quote: text,
    action: { text: message(locale, 'mail.go', { site }), url },
    note: message(locale, 'mail.appeal.note', { site }),
  })
}

/** Informs a user that their appeal was approved or rejected. `url`: the page of the strike. */
export function appealResultMail(input: {
  locale: Locale
  site: string
  username: string
  action: WarningAction
  state: 'approved' | 'rejected'
  url: string
}): RenderedMail {
  const { locale, site, username, action, state, url } = input
  const title = message(locale, `mail.appeal-result.title.${state}`)
  return layOut({
    locale,
    subject: message(locale, 'mail.warning.subject', { title, site }),
    site,
    title,
    paragraphs: [
      message(locale, 'mail.warning.account', { account: `@${username}`, site }),
      message(locale, 'mail.appeal-result.about', { decision: message(locale, `mail.warning.title.${action}`) }),
      message(locale, `mail.appeal-result.text.${state}`),
      ...(state === 'approved' ? consequencesOf(locale, action) : []),
    ],
    action: { text: message(locale, 'mail.warning.go'), url },
    note: message(locale, 'mail.warning.note'),
  })
}

/** Returns what became of the action of an overruled strike. */
function consequencesOf(locale: Locale, action: WarningAction): string[] {
  if (action === 'none') return []
  return [message(locale, action === 'delete_statuses' ? 'mail.appeal-result.deleted' : 'mail.appeal-result.undone')]
}
