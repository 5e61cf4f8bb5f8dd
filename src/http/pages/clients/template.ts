import { html, isolateDirection } from '../../../lib/html/html.ts'
import { message } from '../../../lib/messages/message.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'

/** The third-party clients of the server, each with a link. */
export function clientsPage(frame: Frame, { names }: { names: readonly string[] }): string {
  const { locale } = frame
  const title = message(locale, 'clients.title')
  const body = html`
    <h1>${title}</h1>
    <p class="lead">${message(locale, names.length === 0 ? 'clients.none' : 'clients.lead')}</p>
    <ul class="entries">
      ${names.map(
        (name) =>
          html`<li>
            <div class="entry-words">
              <a class="entry-name" href="${paths.clients}/${encodeURIComponent(name)}/">${isolateDirection(name)}</a>
            </div>
          </li>`,
      )}
    </ul>
  `
  return page(frame, { title, body, shape: 'narrow' })
}
