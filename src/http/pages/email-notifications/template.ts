import { html } from '../../../lib/html/html.ts'
import type { MailPreferences, MailType } from '../../../domain/notifications/email-notifications.ts'
import { MAIL_TYPES } from '../../../domain/notifications/email-notifications.ts'
import type { StaffMailPreference } from '../../../domain/notifications/staff-mails.ts'
import { checkbox, csrfField, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'
import { markup, message } from '../../../lib/messages/message.ts'

/**
 * The settings of e-mail notifications; posts to `paths.emailNotifications`. `staffMails`: the kinds of mails to the
 * staff that the user can get.
 */
export function emailNotificationsPage(
  frame: Frame,
  {
    choice,
    staffMails,
    saved,
  }: { choice: MailPreferences; staffMails: readonly StaffMailPreference[]; saved: boolean },
): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'email-notifications.title')}</h1>
    <p class="lead">${message(locale, 'email-notifications.lead')}</p>
    ${saved && notice('good', message(locale, 'email-notifications.saved'))}
    <form method="post" action="${paths.emailNotifications}">
      ${csrfField(frame.csrf)}
      ${MAIL_TYPES.map((kind) =>
        checkbox(locale, {
          name: kind,
          label: message(locale, `email-notifications.kind.${kind}`),
          checked: choice.types.includes(kind),
          optional: true,
        }),
      )}
      ${checkbox(locale, { name: 'always', label: message(locale, 'email-notifications.always'), checked: choice.evenIfSeen, optional: true })}
      ${
        staffMails.length > 0 &&
        html`<h2>${message(locale, 'email-notifications.staff')}</h2>
          ${staffMails.map(({ kind, enabled }) =>
            checkbox(locale, {
              name: `staff_${kind}`,
              label: message(locale, `email-notifications.staff.${kind}`),
              checked: enabled,
              optional: true,
            }),
          )}`
      }
      <p class="actions">
        <button class="button" type="submit">${message(locale, 'email-notifications.submit')}</button>
      </p>
    </form>
    ${backToSettings(frame)}
  `
  return page(frame, { title: message(locale, 'email-notifications.title'), body, shape: 'narrow' })
}

/** The values in the link of a mail, by which its recipient can unsubscribe without logging in. */
export interface Subscription {
  user: string
  kind: MailType
  token: string
}

/** Asks to confirm unsubscribing from mails of one kind; posts to `paths.unsubscribe`. */
export function unsubscribePage(frame: Frame, { user, kind, token }: Subscription): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'email-notifications.stop-title')}</h1>
    <p class="lead">
      ${markup(locale, 'email-notifications.stop-lead', { kind: message(locale, `email-notifications.kind.${kind}`) })}
    </p>
    <form method="post" action="${paths.unsubscribe}">
      ${hiddenFields({ user, type: kind, token })}
      <p class="actions">
        <button class="button" type="submit">${message(locale, 'email-notifications.stop')}</button>
      </p>
    </form>
  `
  return page(frame, { title: message(locale, 'email-notifications.stop-title'), body, shape: 'narrow' })
}

export function unsubscribedPage(frame: Frame): string {
  const { locale } = frame
  const body = html`
    <h1>${message(locale, 'email-notifications.stopped-title')}</h1>
    <p class="lead">${message(locale, 'email-notifications.stopped')}</p>
    ${backToSettings(frame)}
  `
  return page(frame, { title: message(locale, 'email-notifications.stopped-title'), body, shape: 'narrow' })
}
