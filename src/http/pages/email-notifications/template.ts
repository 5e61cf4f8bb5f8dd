import { html } from '../../../lib/html.ts'
import type { MailChoice, MailKind } from '../../../domain/notifications/mails.ts'
import { MAIL_KINDS } from '../../../domain/notifications/mails.ts'
import { checkbox, csrfField, hiddenFields, notice } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'
import { textFor } from '../text.ts'

/** Chooses what somebody gets letters about; posts to `paths.letters`. */
export function lettersPage(frame: Frame, { choice, saved }: { choice: MailChoice; saved: boolean }): string {
  const text = textFor(frame.lang)
  const { letters } = text.settings
  const body = html`
    <h1>${letters.title}</h1>
    <p class="lead">${letters.lead}</p>
    ${saved && notice('good', letters.saved)}
    <form method="post" action="${paths.letters}">
      ${csrfField(frame.csrf)}
      ${MAIL_KINDS.map((kind) =>
        checkbox(text, {
          name: kind,
          label: letters.kinds[kind],
          checked: choice.kinds.includes(kind),
          optional: true,
        }),
      )}
      ${checkbox(text, { name: 'always', label: letters.always, checked: choice.always, optional: true })}
      <p class="actions"><button class="button" type="submit">${letters.submit}</button></p>
    </form>
    ${backToSettings(text)}
  `
  return page(frame, { title: letters.title, body, shape: 'narrow' })
}

/** What a letter says of itself, so that whoever got it can stop its kind without signing in. */
export interface Subscription {
  user: string
  kind: MailKind
  token: string
}

/** Asks whether letters of a kind are to stop; posts to `paths.unsubscribe`. */
export function unsubscribePage(frame: Frame, { user, kind, token }: Subscription): string {
  const { letters } = textFor(frame.lang).settings
  const body = html`
    <h1>${letters.stopTitle}</h1>
    <p class="lead">${letters.stopLead(letters.kinds[kind])}</p>
    <form method="post" action="${paths.unsubscribe}">
      ${hiddenFields({ user, type: kind, token })}
      <p class="actions"><button class="button" type="submit">${letters.stop}</button></p>
    </form>
  `
  return page(frame, { title: letters.stopTitle, body, shape: 'narrow' })
}

export function unsubscribedPage(frame: Frame): string {
  const text = textFor(frame.lang)
  const { letters } = text.settings
  const body = html`
    <h1>${letters.stoppedTitle}</h1>
    <p class="lead">${letters.stopped}</p>
    ${backToSettings(text)}
  `
  return page(frame, { title: letters.stoppedTitle, body, shape: 'narrow' })
}
