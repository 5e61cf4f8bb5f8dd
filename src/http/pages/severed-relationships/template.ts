import type { Severance } from '../../../domain/relationships/severances/list-severances.ts'
import { html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { pager } from '../layout/pager.ts'
import type { Pages } from '../layout/pager.ts'
import { fullTime } from '../layout/time.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

/** The severances of the user, in the order given (newest first), with links to the lists of lost accounts. */
export function severedRelationshipsPage(
  frame: Frame,
  { severances, pages }: { severances: readonly Severance[]; pages: Pages },
): string {
  const { locale } = frame
  const title = message(locale, 'severed-relationships.title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">
      ${message(locale, severances.length === 0 ? 'severed-relationships.none' : 'severed-relationships.lead')}
    </p>
    <ul class="entries">
      ${severances.map((severance) => entry(locale, severance))}
    </ul>
    ${pager(locale, pages, 'entries')}
    <p class="aside"><a href="${paths.imports}">${message(locale, 'settings.import')}</a></p>
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function entry(locale: Locale, severance: Severance): SafeHtml {
  const { id, type, targetName, createdAt, followersCount, followingCount, listsFollowers, listsFollowing } = severance
  const target = html`<strong>${isolateDirection(targetName)}</strong>`
  const lists = [
    { file: 'following', count: followingCount, isListed: listsFollowing },
    { file: 'followers', count: followersCount, isListed: listsFollowers },
  ] as const
  return html`<li>
    <div class="entry-words">
      <span>${markup(locale, `severed-relationships.${type}`, { target })}</span>
      <span class="hint"><time datetime="${createdAt.toISOString()}">${fullTime(locale, createdAt)}</time></span>
      ${lists.map(({ file, count, isListed }) => {
        const text = message(locale, `severed-relationships.${file}`, { count })
        const url = `${paths.severedRelationships}/${id}/${file}.csv`
        return count > 0 && html`<span>${isListed ? html`<a href="${url}" download>${text}</a>` : text}</span>`
      })}
    </div>
  </li>`
}
