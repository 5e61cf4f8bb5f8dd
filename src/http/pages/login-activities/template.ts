import type { LoginActivity } from '../../../domain/auth/login-activities.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { pager } from '../layout/pager.ts'
import type { Pages } from '../layout/pager.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { browserName } from '../sessions/template.ts'
import { mayOpen } from '../settings/page-states.ts'
import { backToSettings } from '../settings/template.ts'

/** The log-ins of the user, in the order given (newest first), with those refused after the first factor. */
export function loginActivitiesPage(
  frame: Frame,
  { activities, pages }: { activities: readonly LoginActivity[]; pages: Pages },
): string {
  const { locale } = frame
  const title = message(locale, 'login-activities.title')
  const body = html`
    ${
      mayOpen(frame, paths.sessions) &&
      html`<p class="back"><a href="${paths.sessions}">${message(locale, 'sessions.title')}</a></p>`
    }
    <h1>${title}</h1>
    <p class="lead">${message(locale, activities.length === 0 ? 'login-activities.none' : 'login-activities.lead')}</p>
    <ul class="entries">
      ${activities.map(
        (activity) =>
          html`<li>
            <div class="entry-words">
              <strong
                >${message(locale, `login-activities.${activity.success ? 'success' : 'failure'}.${activity.method}`)}</strong
              >
              <span class="hint"
                ><time datetime="${activity.createdAt.toISOString()}">${fullTime(locale, activity.createdAt)}</time>
                &middot;
                ${activity.ip !== null && html`${isolateDirection(activity.ip)} &middot; `}${browserName(locale, activity)}</span
              >
            </div>
          </li>`,
      )}
    </ul>
    ${pager(locale, pages, 'entries')} ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}
