import { html } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import { csrfField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { ownPageLinks } from './own-page-links.ts'

/** The page of a user who is logged in while their account is frozen or suspended. */
export function restrictedPage(frame: Frame, { state }: { state: 'disabled' | 'suspended' }): string {
  const { locale } = frame
  const title = message(locale, `restricted.title.${state}`)
  const body = html`
    <p class="emblem">${icons.lock}</p>
    <h1>${title}</h1>
    <p class="lead">${message(locale, `restricted.text.${state}`)}</p>
    ${ownPageLinks(frame)}
    <form method="post" action="${paths.signOut}">
      ${csrfField(frame.csrf)}
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'account.sign-out')}</button>
      </p>
    </form>
  `
  return page(frame, { title, body, shape: 'narrow' })
}
