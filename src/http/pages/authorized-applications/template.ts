import type { AuthorizedApplication } from '../../../domain/auth/authorized-applications.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'
import { scopeGroups } from '../consent/scope-groups.ts'
import { csrfField } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

/** The apps that may use the account, each with what it may do and a form that revokes its access. */
export function authorizedApplicationsPage(
  frame: Frame,
  { applications }: { applications: readonly AuthorizedApplication[] },
): string {
  const { locale, csrf } = frame
  const title = message(locale, 'authorized-applications.title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">
      ${message(locale, applications.length === 0 ? 'authorized-applications.none' : 'authorized-applications.lead')}
    </p>
    <ul class="entries">
      ${applications.map(
        (application) =>
          html`<li>
            <div class="entry-words">
              <h2 class="entry-name">${isolateDirection(application.name)}</h2>
              ${website(application.website)}
              <span class="hint">${uses(locale, application)}</span>
              <details>
                <summary>${message(locale, 'authorized-applications.scopes')}</summary>
                ${scopeGroups(locale, application.scopes)}
              </details>
            </div>
            <form method="post" action="${paths.authorizedApplications}/${application.id}">
              ${csrfField(csrf)}
              <button
                class="button button-line"
                type="submit"
                aria-label="${message(locale, 'authorized-applications.revoke-label', { app: application.name })}"
              >
                ${message(locale, 'authorized-applications.revoke')}
              </button>
            </form>
          </li>`,
      )}
    </ul>
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

/** The host of the website, without a link: the address is text of the app. */
function website(address: string | null): SafeHtml {
  const host = address === null ? '' : (URL.parse(address)?.host ?? '')
  return host === '' ? html`` : html`<span>${isolateDirection(host)}</span>`
}

function uses(locale: Locale, { authorizedAt, lastUsedAt }: AuthorizedApplication): string {
  const authorized = message(locale, 'authorized-applications.since', { time: fullTime(locale, authorizedAt) })
  const used =
    lastUsedAt === null
      ? message(locale, 'authorized-applications.never-used')
      : message(locale, 'authorized-applications.last-used', { time: fullTime(locale, lastUsedAt) })
  return `${authorized} · ${used}`
}
