import type { ListedSession } from '../../../domain/auth/list-sessions.ts'
import { describeBrowser } from '../../../lib/http/describe-browser.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'
import { csrfField } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

/** The browsers in which the user is logged in, each with a form that ends the session, and one for all others. */
export function sessionsPage(frame: Frame, { sessions }: { sessions: readonly ListedSession[] }): string {
  const { locale, csrf } = frame
  const title = message(locale, 'sessions.title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, 'sessions.lead')}</p>
    <ul class="entries">
      ${sessions.map(
        (session) =>
          html`<li>
            <div class="entry-words">
              <strong>${browserName(locale, session)}</strong>
              ${session.current && html`<span class="entry-mark">${message(locale, 'sessions.current')}</span>`}
              <span class="hint"
                >${session.ip !== null && html`${isolateDirection(session.ip)} &middot; `}${lastUse(locale, session)}</span
              >
            </div>
            ${
              !session.current &&
              html`<form method="post" action="${paths.sessions}/${session.id}">
                ${csrfField(csrf)}
                <button
                  class="button button-line"
                  type="submit"
                  aria-label="${message(locale, 'sessions.end-label', { browser: browserName(locale, session) })}"
                >
                  ${message(locale, 'sessions.end')}
                </button>
              </form>`
            }
          </li>`,
      )}
    </ul>
    ${
      sessions.length > 1 &&
      html`<form method="post" action="${paths.endOtherSessions}">
        ${csrfField(csrf)}
        <p class="actions"><button class="button" type="submit">${message(locale, 'sessions.end-others')}</button></p>
      </form>`
    }
    <ul class="choices">
      <li><a href="${paths.loginActivities}">${message(locale, 'login-activities.title')} ${icons.forward}</a></li>
      <li>
        <a href="${paths.authorizedApplications}"
          >${message(locale, 'authorized-applications.title')} ${icons.forward}</a
        >
      </li>
    </ul>
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

/** Returns the name of a browser for people, in the language of the page if it is unknown. */
export function browserName(locale: Locale, { userAgent }: { userAgent: string }): string {
  return describeBrowser(userAgent) ?? message(locale, 'sessions.unknown-browser')
}

function lastUse(locale: Locale, { lastUsedAt, current }: ListedSession): SafeHtml | string {
  return current
    ? message(locale, 'sessions.now')
    : html`<time datetime="${lastUsedAt.toISOString()}"
        >${message(locale, 'sessions.last-used', { time: fullTime(locale, lastUsedAt) })}</time
      >`
}
