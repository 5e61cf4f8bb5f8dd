import { html } from '../../../lib/html/html.ts'
import { csrfField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { displayName, identity } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type SignedInInput = {
  account: PageAccount
  /** The server address that users enter in an app: the domain, with the port if it is not the default. */
  serverAddress: string
  /** How many mails are waiting in the outbox; null or absent for users other than the owner. */
  unsentMails?: number | null
}

/** The page of a user who is logged in: their account, the web client, how to connect an app, settings and log-out. */
export function signedInPage(frame: Frame, { account, serverAddress, unsentMails }: SignedInInput): string {
  const { locale } = frame
  const body = html`
    <h1>${markup(locale, 'account.welcome', { name: displayName(account) })}</h1>
    ${identity(account)}
    <p class="actions"><a class="button" href="${paths.home}">${message(locale, 'account.open-client')}</a></p>
    <h2>${message(locale, 'account.apps')}</h2>
    <ol class="steps">
      <li>${message(locale, 'account.step1')}</li>
      <li>
        ${message(locale, 'account.step2')}
        <code class="address" tabindex="0">${serverAddress}</code>
      </li>
      <li>${message(locale, 'account.step3')}</li>
    </ol>
    <ul class="choices">
      <li><a href="${paths.settings}">${message(locale, 'account.settings')} ${icons.forward}</a></li>
      <li><a href="${paths.strikes}">${message(locale, 'settings.strikes')} ${icons.forward}</a></li>
    </ul>
    ${
      typeof unsentMails === 'number' &&
      html`<h2>${message(locale, 'account.owner')}</h2>
        <ul class="choices">
          <li>
            <a href="${paths.mail}">${message(locale, 'account.mail', { count: unsentMails })} ${icons.forward}</a>
          </li>
        </ul>`
    }
    <form method="post" action="${paths.signOut}">
      ${csrfField(frame.csrf)}
      <p class="actions">
        <button class="button button-line" type="submit">${message(locale, 'account.sign-out')}</button>
      </p>
    </form>
  `
  return page(frame, { title: message(locale, 'account.title'), body, shape: 'narrow' })
}
