import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import { icons } from '../layout/icons.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { mayOpen } from '../settings/page-states.ts'

/** Links to the pages that a user whose account is not usable may open. */
export function ownPageLinks(frame: Frame): SafeHtml {
  const { locale } = frame
  const choices = [
    { name: message(locale, 'settings.strikes'), url: paths.strikes },
    { name: message(locale, 'account.settings'), url: paths.settings },
    { name: message(locale, 'login-activities.title'), url: paths.loginActivities },
    { name: message(locale, 'settings.export'), url: paths.export },
    { name: message(locale, 'settings.deletion'), url: paths.deletion },
  ] as const
  return html`<ul class="choices">
    ${choices
      .filter(({ url }) => mayOpen(frame, url))
      .map(({ name, url }) => html`<li><a href="${url}">${name} ${icons.forward}</a></li>`)}
  </ul>`
}
